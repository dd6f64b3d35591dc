/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */
var T,ft,xn,Z,Je,Pe,mt,$e,ht,We,He,Sn,_e=Symbol.for("pv"),Ae={},Be=[],Tn=/^m(i|n|o|s|text|space)$/,Xe=Array.isArray,gt=Be.
slice,ie=Object.assign;function se(e){e&&e.parentNode&&e.remove()}function Ce(e,t,n,r,a){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:_e,__v:a||
++ft,__i:-1,__u:0};return!a&&T.vnode&&T.vnode(s),s}function P(e){return e.children}function Ee(e,t){this.props=e,this.context=t,this.__g=0}function Y(e,t){if(t==null)return e.
__&&Y(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.
props.__P?null:Y(e)}function $n(e){var t,n=e.__v,r=n.__e,a=[],s=[],l=e.__P;l&&((t=ie({constructor:_e},n)).__v=n.__v+1,T.
vnode&&T.vnode(t),Fe(l,t,n,e.__n,l.namespaceURI,32&n.__u?[r]:null,a,r||Y(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,kt(
a,t,s),n.__=n.__e=null,t.__e!=r&&yt(t))}function yt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){
return t&&(e.__e=t.__e)}),yt(e)}function ct(e){(8&e.__g||(e.__g|=8,Z.push(e),Pe++))&&Je==T.debounceRendering||((Je=T.debounceRendering)||
queueMicrotask)(_t)}function _t(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(mt),e=Z.shift(),t=Z.length,8&e.__g&&$n(
e)}finally{(Pe=Z.length)&&(Je||queueMicrotask)(_t)}}function bt(e,t,n,r,a,s,l,i,c,p,d){var m,h,u,f,_,w,$=r.__k||Be,g=t.length;
for(c=Cn(n,t,$,c,g),m=0;m<g;m++)(u=n.__k[m])!=null&&(h=~u.__i&&$[u.__i]||Ae,u.__i=m,w=Fe(e,u,h,a,s,l,i,c,p,d),f=u.__e,(h.
ref!=u.ref||8&h.__u)&&(h.ref&&Ue(h.ref,null,u,h),u.ref&&d.push(u.ref,u.__c||f,u)),_=_||f,4&u.__u?(c=vt(u,c,e,!h.__v),h.__e&&
(h.__e=null)):typeof u.type=="function"&&w!==void 0?c=w:f&&(c=f.nextSibling),u.__u&=-21);return n.__e=_,c}function Cn(e,t,n,r,a){
var s,l,i,c,p,d,m,h,u,f=n.length,_=f,w=0,$=0,g=e.__k=Array(a);for(s=0;s<a;s++)(l=t[s])!=null&&typeof l!="boolean"&&typeof l!=
"function"?(typeof l!="object"||l.constructor===String?l=g[s]=Ce(null,l):Xe(l)?l=g[s]=Ce(P,{children:l}):l.constructor===
_e&&l.__b?l=g[s]=Ce(l.type,l.props,l.key,l.ref,l.__v):g[s]=l,c=s+w,l.__=e,l.__b=e.__b+1,i=null,~(p=l.__i=En(l,n,c,_))&&(_--,
(i=n[p])&&(i.__u|=2)),i&&i.__v?(l.__u|=16,p==c-1?w--:p==c+1?w++:p!=c&&(p>c?w--:w++,$=1)):(~p||(a>f?w--:a<f&&w++),typeof l.
type!="function"&&(l.__u|=4))):g[s]=null;if($){for(d=[],m=[],s=0;s<a;s++)if((l=g[s])&&16&l.__u){for(w=0,h=d.length;w<h;)
d[u=w+h>>1]<l.__i?w=u+1:h=u;d[w]=l.__i,m[s]=w+1}for(w=d.length;s--;)m[s]&&(m[s]==w?w--:g[s].__u|=4)}if(_)for(s=0;s<f;s++)
!(i=n[s])||2&i.__u||(i.__e==r&&(r=Y(i)),je(i,i));return r}function vt(e,t,n,r){var a,s,l,i;if(typeof e.type=="function"){
if(e.props.__P)return t;if(a=e.__k)for(s=0;s<a.length;s++)a[s]&&(a[s].__=e,t=vt(a[s],t,n,!1));return t}for(t&&!t.parentNode&&
(t=Y(e))&&!t.parentNode&&(t=null),l=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(l!=i&&(!r&&n.moveBefore&&l.parentNode?
n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function En(e,t,n,r){var a,s=e.key,l=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&l==i.type)return n;
if(r>(c?1:0)){for(a=n-1;a>=0;a--)if((i=t[a])&&!(2&i.__u)&&s==i.key&&l==i.type)return a;for(a=n+1;a<t.length;a++)if((i=t[a])&&
!(2&i.__u)&&s==i.key&&l==i.type)return a}return-1}function pt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}
function Te(e,t,n,r,a){var s,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||pt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||pt(e.style,t,n[t])}else if(t[0]=="o"&&
t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(l=He[t]||(He[t]=
Nn(t)),(e.__a||(e.__a={}))[t]=We,s=t!=(t=t.replace(ht,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(
t,l,s):e.removeEventListener(t,l,s));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Nn(e){return function(t){var n=this.
__e;if(n){if(n=n[e],t[$e]==null)t[$e]=We++;else if(t[$e]<this.__a[e])return;return n(T.event?T.event(t):t)}}}function Fe(e,t,n,r,a,s,l,i,c,p){
var d,m,h,u,f,_,w,$,g,S,x,pe,dt,Se,re,ut,G,ae,q=t.type;if(t.constructor!==_e)return null;128&n.__u&&(c=32&n.__u,d=n.__c.
__z)&&(t.__u|=c,m=s=[],d.nodeType==8?i=Ne(d,s):s.push(d),i=s[0]||i),(d=T.__b)&&d(t);e:if(typeof q=="function"){h=l.length;
try{if($=t.props,g=(d=q.prototype)&&d.render,S=(d=q.contextType)&&r[d.__c],x=d?S?S.props.value:d.__:r,(u=n.__c)?(t.__c=u,
2&u.__g&&(u.__g|=1)):(g?t.__c=u=new q($,x):(t.__c=u=new Ee($,x),u.constructor=q,u.render=An),S&&S.sub(u),u.state||(u.state=
{}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),g&&(u.__s||(u.__s=u.state),q.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ie(
{},u.__s)),ie(u.__s,q.getDerivedStateFromProps($,u.__s)))),f=u.props,_=u.state,u.__v=t,n.__c){if($!==f&&g&&!q.getDerivedStateFromProps&&
u.componentWillReceiveProps&&u.componentWillReceiveProps($,x),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&
u.shouldComponentUpdate($,u.__s,x)===!1){t.__v!=n.__v&&(u.props=$,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(X){X&&(X.__=t)}),Be.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&l.push(u),i=Y(n);break e}u.componentWillUpdate&&
u.componentWillUpdate($,u.__s,x),g&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(f,_,w)})}else g&&!q.
getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),g&&u.componentDidMount&&u.__h.push(u.componentDidMount);
u.context=x,u.props=$,u.__P=e,u.__g&=-5,pe=T.__r,dt=g?25:0;do u.__g&=-9,pe&&pe(t),d=u.render(u.props,u.state=u.__s,u.context);while(8&
u.__g&&++dt<25);g&&(Be.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=ie({},r,u.getChildContext())),
g&&n.__c&&u.getSnapshotBeforeUpdate&&(w=u.getSnapshotBeforeUpdate(f,_)),Se=d&&d.type===P&&d.key==null?d.props.children:d,
$.__P&&(d=i,a=(e=$.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(X){X&&je(X,X)}),n.__k=null),
i=n.__k?Y(n,0):null),i=bt(e,Xe(Se)?Se:[Se],t,n,r,a,s,l,i,c,p),$.__P&&(t.__e=null,i=d),t.__u&=-161,m&&m.some(se),u.__h.length&&
l.push(u),1&u.__g&&(u.__g&=-4)}catch(X){if(l.length=h,t.__v=null,c||s)if(X&&X.then){if(t.__u|=128|c,s){for(~(G=s.indexOf(
i||void 0))||(G=s.length);(ae=s[G-1])&&ae.nodeType==8;)G--;for(;G<s.length;G++)if(ae=s[G])if(s[G]=null,re){if(ae==ut)break}else{
if(ae.nodeType!=8)break;ae.data.startsWith("$s")&&(ut=Ne(re=ae))}}if(!re){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;
re=i}(d=Ne(re=t.__c.__z||(t.__c.__z=re)))?(t.__e=re,i=d):t.__e=i,i=i&&i.nextSibling}else s&&s.some(se);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),X&&X.then||wt(t),T.__e(X,t,n)}}else i=t.__e=Pn(n.__e,t,n,r,a,s,l,c,p,e);return(d=T.diffed)&&d(t),
i}function Ne(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.
startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function wt(e){e&&(e.__c&&(e.__c.__g|=
4),e.__k&&e.__k.some(wt))}function kt(e,t,n){for(var r=0;r<n.length;)Ue(n[r++],n[r++],n[r++]);T.__c&&T.__c(t,e),e.some(function(a){
try{e=a.__h,a.__h=[],e.some(function(s){s.call(a)})}catch(s){T.__e(s,a.__v)}})}function Pn(e,t,n,r,a,s,l,i,c,p){var d,m,
h,u,f,_,w,$,g=n.props||Ae,S=t.props,x=t.type;if(x=="svg"?a="http://www.w3.org/2000/svg":x=="math"?a="http://www.w3.org/1\
998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),s){for(d=0;d<s.length;d++)if((f=s[d])&&(x?f.localName==x:f.nodeType==
3)){e=f,s[d]=null;break}}if(!e){if($=p.ownerDocument||document,!x)return $.createTextNode(S);e=$.createElementNS(a,x,S.is?
S:p),i&&(T.__m&&T.__m(t,s),i=!1),s=null}if(x){if(p=x=="template"&&e.content||e,s=x=="textarea"&&S.defaultValue!=null?null:
s&&gt.call(p.childNodes),!i&&s)for(g={},d=0;d<e.attributes.length;d++)g[(f=e.attributes[d]).name]=f.value;for(d in g)f=g[d],
d=="dangerouslySetInnerHTML"?h=f:d=="children"||d in S||d=="value"&&"defaultValue"in S||d=="checked"&&"defaultChecked"in
S||Te(e,d,null,f,a);for(d in S)f=S[d],d=="children"?u=f:d=="dangerouslySetInnerHTML"?m=f:d=="value"?_=f:d=="checked"?w=f:
i&&typeof f!="function"||g[d]===f||Te(e,d,f,g[d],a);m?(i||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.
__html),t.__k=[]):(h&&(e.textContent=""),(x=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&Tn.test(x))&&(a="\
http://www.w3.org/1999/xhtml"),bt(p,Xe(u)?u:[u],t,n,r,a,s,l,s?s[0]:n.__k&&Y(n,0),i,c),s&&s.some(se)),i&&x!="textarea"||(d=
"value",x=="progress"&&_==null?e.removeAttribute(d):_==null||_===e[d]&&(x!="progress"||_)||Te(e,d,_,g[d],a),d="checked",
w!=null&&w!=e[d]&&Te(e,d,w,g[d],a))}else g===S||i&&e.data==S||(e.data=S);return e}function Ue(e,t,n,r){try{typeof e=="fu\
nction"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
T.__e(a,n)}}function je(e,t,n){var r,a,s,l;if(T.unmount&&T.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Ue(r,null,
t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){T.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(l=
0;l<r.length;l++)r[l]&&je(r[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(a=Ne(r,s=[]))&&(r==
e.__e&&s.some(se),se(a),se(r)),n||se(e.__e),e.__e=e.__c=e.__=null}function An(e,t,n){return this.constructor(e,n)}function xt(e,t){
var n,r,a,s;T.__&&T.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Ce(P,{children:[e]}),
a=[],s=[],Fe(t,t.__k,r||Ae,Ae,t.namespaceURI,r?null:t.firstChild?gt.call(t.childNodes):null,a,r?r.__e:t.firstChild,n,s),
kt(a,t.__k,s),t.__k.props.children=null}T={__e:function(e,t,n,r){for(var a,s,l;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((l=(s=a.constructor)&&s.getDerivedStateFromError)&&
a.setState(s.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,r||{}),l=1),l&&8&a.__g)return void(a.
__g|=2)}catch(i){e=i}}throw Pe=0,e}},ft=0,xn=function(e){return e!=null&&e.constructor===_e},Ee.prototype.setState=function(e,t){
var n=this.__s;n&&n!=this.state||(n=this.__s=ie({},this.state)),typeof e=="function"&&(e=e(ie({},n),this.props)),e&&(ie(
n,e),this.__v&&(t&&this.__k.push(t),ct(this)))},Ee.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.
push(e),ct(this))},Ee.prototype.render=P,Z=[],Pe=0,mt=function(e,t){return e.__v.__b-t.__v.__b},$e=Symbol(),ht=/(PointerCapture)$|Capture$/i,
We=0,He={},Sn=0;var fe,R,ze,St,Ke=Object.is,ve=0,Rt=[],Ve=[],A=T,Tt=A.__b,$t=A.__r,Ct=A.diffed,Et=A.__c,Nt=A.unmount,Pt=A.__;function Re(e,t){
A.__h&&A.__h(R,e,ve||t),ve=0;var n=R.__H||(R.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function y(e){
return ve=1,Bn(Mt,e)}function Bn(e,t,n){var r=Re(fe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Mt(void 0,t),function(s){var l=(r.
__N||r.__)[0],i=r.t(l,s);Ke(l,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=R,!R.__f)){R.__f=!0;var a=R.shouldComponentUpdate;
R.shouldComponentUpdate=function(s,l,i){var c=this.__H;if(!c)return!0;var p=!1,d=this.props!=s;if(c.__.some(function(h){
h.__N&&(p=!0,Ke(h.__[0],h.__N[0])||(d=!0))}),a){var m=a.call(this,s,l,i);return p?m||d:m}return!p||d}}return r.__}function E(e,t){
var n=Re(fe++,3);!A.__s&&Qe(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,R.__H.__h.push(n))}function Dt(e,t){var n=Re(fe++,4);!A.__s&&
Qe(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,R.__h.push(n))}function W(e){return ve=5,z(function(){return{current:e}},[])}function z(e,t){var n=Re(fe++,7);return Qe(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Ot(e,t){return ve=8,z(function(){return e},
t)}function Rn(){var e;do{for(;e=Ve.shift();)try{be(e)}catch(n){A.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Rt.shift();){var t=e.
__H;if(e.__P&&t)try{t.__h.some(be),t.__h.some(qe),t.__h=[]}catch(n){t.__h=[],A.__e(n,e.__v)}}}while(Ve.length)}A.__b=function(e){
R=null,Tt&&Tt(e)},A.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Pt&&Pt(e,t)},A.__r=function(e){$t&&$t(e),fe=
0;var t=(R=e.__c).__H;t&&(ze==R?R.__h=[]:(t.__h.some(be),t.__h.some(qe),fe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=
n.__N),n.u=n.__N=void 0})),ze=R},A.diffed=function(e){Ct&&Ct(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Bt(Rt.push(t)),
t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ze=R=null},A.__c=function(e,t){t.some(function(n){try{n.__h.some(be),n.__h=
n.__h.filter(function(r){return!r.__||qe(r)})}catch(r){n.__h=[function(){throw r}]}}),Et&&Et(e,t)},A.unmount=function(e){
Nt&&Nt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||
!n.__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,Bt(Ve.push(a))}else be(a)}catch(s){t=s}}),r.__H=void 0,t&&A.__e(t,r.__v))};var At=typeof requestAnimationFrame==
"function";function Dn(e){var t,n=function(){clearTimeout(r),At&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);
At&&(t=requestAnimationFrame(n))}function Bt(e){e!=1&&St==A.requestAnimationFrame||((St=A.requestAnimationFrame)||Dn)(Rn)}
function be(e){var t=R,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),R=t}function qe(e){var t=R;e.__c=e.__(),R=t}function Qe(e,t){
return!e||e.length!=t.length||t.some(function(n,r){return!Ke(n,e[r])})}function Mt(e,t){return typeof t=="function"?t(e):
t}var Q=class{#e;#t=new Set;constructor(t){this.#e=t}get value(){return this.#e}set(t){this.#e=t;for(let n of this.#t)n(t)}watch(t){
return this.#t.add(t),()=>{this.#t.delete(t)}}};function le(e){let[t,n]=y(e.value);return E(()=>(n(e.value),e.watch(n)),
[e]),t}var F=class extends Error{status;body;constructor(t,n){super(typeof n.error=="string"?n.error:`the server answered ${t}`),
this.status=t,this.body=n}},Ze=class extends Error{constructor(){super("the server does not answer")}},{prefix:On="",server:Mn=""}=document.
body.dataset,De=Mn,K=new Q({kind:"unknown"}),de=new Q(new Map);function et(e){return`${On}${e}`}async function U(e,t={}){
let n=await me(e,t);if(!(n instanceof F))return n;let r=n.status===401,a=n.status===403&&n.message.includes("x-agentrt-c\
srf");if(!r&&!a)throw n;if(r?await he("The session is over. Sign in again."):await Lt()){let s=await me(e,t);if(!(s instanceof
F))return s;throw s}throw n}async function me(e,t){let{method:n="GET",body:r,headers:a,signal:s}=t,l=K.value,c=n!=="GET"&&
l.kind==="in"?{"x-agentrt-csrf":l.session.csrf_token}:{},p=r===void 0?{}:{"content-type":"application/json"},d,m;try{d=await fetch(
et(e),{method:n,headers:{...p,...c,...a},credentials:"same-origin",cache:"no-store",redirect:"error",...r===void 0?{}:{body:JSON.
stringify(r)},...s===void 0?{}:{signal:s}}),m=await d.text()}catch(u){throw s?.aborted===!0?u:(Ye(e,"no answer"),new Ze)}
let h=In(m);return Ye(e,d.status>=500?`answers ${d.status}`:void 0),d.ok?{status:d.status,body:h}:new F(d.status,h??{})}
function In(e){try{return e===""?void 0:JSON.parse(e)}catch{return{error:e.slice(0,200)}}}function Ye(e,t){let n=e.replace(
/\?.*$/s,""),{value:r}=de;if(r.get(n)===t)return;let a=new Map(r);t===void 0?a.delete(n):a.set(n,t),de.set(a)}function Oe(e){
Ye(e,void 0)}var Ge,It=!1;async function he(e=""){return Ge??=Ln(e).finally(()=>{Ge=void 0}),await Ge}async function Lt(){
let e=await me("/console/session",{});if(e instanceof F)return!1;let{needs_key:t,session:n}=e.body;return It=t,n===null?
!1:(K.set({kind:"in",session:n}),!0)}async function Ln(e){if(K.value.kind==="in")await me("/console/session",{method:"DE\
LETE"});else if(await Lt())return!0;return It?(K.set({kind:"out",notice:e}),!1):await tt(e)}async function tt(e){let t=await nt(
{});return t===void 0?!0:(K.set({kind:"out",notice:t.status===401?e:t.message}),!1)}async function nt(e){let t=await me(
"/console/session",{method:"POST",headers:e});if(t instanceof F)return t;let{session:n}=t.body;if(n===null)return new F(
401,{error:"no session came"});K.set({kind:"in",session:n})}async function Jt(){try{await me("/console/session",{method:"\
DELETE"})}catch{}K.set({kind:"out",notice:"You are signed out."})}function ee(e){let{value:t}=K;return t.kind==="in"&&(t.
session.scopes?.includes(e)??!0)}function V(e){let t=Math.abs(e);return t<.01?`${Math.round(t*1e4)/10} ms`:t<1?`${Math.round(t*1e3)} ms`:t<60?`${t<10?Math.
round(t*10)/10:Math.round(t)} s`:t<3600?`${Math.round(t/60)} min`:t<86400?`${Math.round(t/360)/10} h`:`${Math.round(t/8640)/
10} d`}function ue(e){let t=Date.now()/1e3-e;return t<1?"now":`${V(t)} ago`}function we(e){let t=e-Date.now()/1e3;return t<=
0?"over":`in ${V(t)}`}function te(e){let t=new Date(e*1e3);if(Number.isNaN(t.getTime()))return String(e);let n=(s,l=2)=>String(
s).padStart(l,"0"),r=`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())}`,a=`${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`;return`${r} ${a}.${n(t.getMilliseconds(),3)}`}function ge(e){return e===0?"$0":e<.01?`$${e.toFixed(
5)}`:`$${e.toFixed(2)}`}function I(e){return String(Math.round(e)).replaceAll(/\B(?=(\d{3})+$)/g," ")}function j(e){return JSON.
stringify(e,null,2)??""}function L(e){return typeof e=="string"?e:JSON.stringify(e)??""}function ye(e){return Object.entries(
e).map(([t,n])=>`${t}=${L(n)}`).join(" ")}function N(e,t,n=`${t}s`){return`${I(e)} ${e===1?t:n}`}var Jn=Symbol.for("pv"),Hn=0;function o(e,t,n,r,a,s){t||(t={});var l,i,c=t;if("ref"in c&&typeof e!="function")for(i in c={},t)i=="ref"?l=t[i]:c[i]=t[i];
var p={type:e,props:c,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Jn,__v:--Hn,__i:-1,__u:0};return(a||
s)&&(p.__source=a,p.__self=s),T.vnode&&T.vnode(p),p}var Wn={RUNNING:["●","good"],INITIALIZING:["◔","wait"],SUSPENDED:["‖","wait"],STOPPING:["◑","wait"],STOPPED:["○",
"dull"],CRASHED:["✖","bad"],pending:["◔","wait"],approved:["✔","good"],denied:["✖","bad"],expired:["○","dull"]};
function ne(e){let{status:t,isBelow:n=!1}=e,[r,a]=Wn[t]??["◌","dull"];return o("span",{class:`status ${a}`,children:[o(
"span",{class:"mark","aria-hidden":"true",children:r}),t,n?" below":""]})}function B({at:e}){return o("time",{title:te(e),
children:ue(e)})}function b(e){return o("section",{class:e.isWide===!0?"panel wide":"panel",children:[o("header",{children:[
o("h2",{children:e.title}),e.extra]}),e.children]})}function J(e){return o("dl",{class:"facts",children:e.facts.map(([t,
n])=>o("div",{children:[o("dt",{children:t}),o("dd",{children:n})]},t))})}function H({value:e,label:t}){return o("pre",{
class:"code",tabIndex:0,role:"region","aria-label":t,children:j(e)})}function v({children:e}){return o("p",{class:"nothi\
ng",children:e})}function D({refusal:e}){return e===void 0?null:o("p",{class:"refused",role:"alert",children:e.message})}
function O(e){return o("div",{class:"scroll",tabIndex:0,role:"region","aria-label":e.label,children:o("table",{children:[
o("thead",{children:o("tr",{children:e.columns.map(({name:t,isNumber:n})=>o("th",{scope:"col",class:n===!0?"number":"",children:t},
t))})}),o("tbody",{children:e.rows.map((t,n)=>o("tr",{children:e.columns.map(({name:r,show:a,isNumber:s})=>o("td",{"data\
-name":r,class:s===!0?"number":"",children:a(t)},r))},e.keyOf(t,n)))})]})})}function oe({question:e,onClose:t}){let n=W(
null),[r,a]=y(""),[s,l]=y(!1),[i,c]=y("");E(()=>{let f=document.activeElement;return n.current?.showModal(),()=>{f instanceof
HTMLElement&&f.focus()}},[]);let p=async()=>{l(!0),c("");try{await e.act(r.trim()),t()}catch(f){c(f instanceof Error?f.message:
String(f)),l(!1)}},{title:d,verb:m,asksFor:h,isDangerous:u=!1}=e;return o("dialog",{ref:n,onClose:t,"aria-labelledby":"q\
uestion",children:o("form",{onSubmit:f=>{f.preventDefault(),s||p()},children:[o("h2",{id:"question",children:d}),o("div",
{class:"text",children:e.text}),h===void 0?null:o("label",{children:[h,o("input",{value:r,onInput:f=>a(f.currentTarget.value)})]}),
i===""?null:o("p",{class:"refused",role:"alert",children:i}),o("div",{class:"buttons",children:[o("button",{type:"button",
onClick:t,children:"Cancel"}),o("button",{class:u?"danger":"primary",disabled:s,children:m})]})]})})}function M({children:e}){
let t=W(null);return E(()=>t.current?.focus({preventScroll:!0}),[]),o("h1",{ref:t,tabIndex:-1,children:e})}function Ht(e){let{agent:t}=e,[n,r]=y();if(!ee("operate"))return null;let a=(i,c)=>async()=>{await U(`/agents/${encodeURIComponent(
t.name)}/${i}`,{method:"POST",body:c}),e.onDone()},s=i=>async c=>await a(i,c===""?{}:{reason:c})(),l=[{title:`Suspend ${t.
name}?`,text:o("p",{children:"It finishes the message at hand and then waits. What comes meanwhile is kept."}),verb:"Sus\
pend",asksFor:"Reason",act:s("suspend"),isThere:t.suspension===null},{title:`Drain ${t.name}?`,text:o("p",{children:"It \
handles what waits, takes nothing new, and is suspended then."}),verb:"Drain",asksFor:"Reason",act:s("drain"),isThere:t.
suspension===null&&t.draining===void 0},{title:`Resume ${t.name}?`,text:o("p",{children:"It goes on with the messages th\
at wait."}),verb:"Resume",act:a("resume",{}),isThere:t.suspension!==null||t.draining!==void 0},{title:`Restart ${t.name}\
?`,text:o("p",{children:["A new object takes its place."," ",t.at_hand.length===0?"No message is":`${t.at_hand.length} a\
t hand get time to end, and are lost then;`," ",t.mailbox.depth," waiting are kept."]}),verb:"Restart",isDangerous:!0,asksFor:"\
Reason",act:s("restart"),isThere:!0}];return o("div",{class:"actions",children:[l.filter(({isThere:i})=>i).map(i=>o("but\
ton",{class:i.isDangerous===!0?"danger":"",onClick:()=>r(i),children:i.verb},i.verb)),n===void 0?null:o(oe,{question:n,onClose:()=>r(
void 0)})]})}function Xt({counters:e}){let t=Object.entries(e.models),n=[["Handled",I(e.messages_handled)],["Sent",I(e.messages_sent)],
["Mean time",`${Math.round(e.avg_latency_ms*10)/10} ms`],["Errors",I(e.errors)],["Tokens in / out",`${I(e.tokens_in)} / ${I(
e.tokens_out)}`],["Cost",ge(e.cost_usd)]];return o(P,{children:[o(J,{facts:n}),t.length===0?null:o(O,{label:"Use of mode\
ls",rows:t,keyOf:([r])=>r,columns:[{name:"Model",show:([r])=>r},{name:"Calls",show:([,r])=>I(r.calls),isNumber:!0},{name:"\
Tokens",show:([,r])=>I(r.tokens_in+r.tokens_out),isNumber:!0},{name:"Cost",show:([,r])=>`${ge(r.cost_usd)}${r.unpriced_calls>
0?` and ${r.unpriced_calls} calls without a price`:""}`,isNumber:!0}]})]})}function Ft({budgets:e}){return e.length===0?
null:o("ul",{class:"budgets","aria-label":"Budgets",children:e.flatMap(t=>[o(Wt,{budget:t,unit:"usd"},`${t.name} usd`),o(
Wt,{budget:t,unit:"tokens"},`${t.name} tokens`)])})}function Wt({budget:e,unit:t}){let n=t==="usd"?e.limit_usd:e.limit_tokens;
if(n===null)return null;let r=t==="usd"?e.spent_usd+e.reserved_usd:e.spent_tokens+e.reserved_tokens,a=t==="usd"?ge:c=>`${I(
c)} tokens`,s=n===0?1:Math.min(1,r/n),l=e.frees_at===null?"":`, free again ${we(e.frees_at)}`,i=`${a(r)} of ${a(n)} per ${e.
per}${l}`;return o("li",{children:[o("span",{children:i}),o("meter",{min:0,max:1,high:.9,value:s,"aria-label":i})]})}var ot=new Q(Ut());addEventListener("hashchange",()=>ot.set(Ut()));function Ut(){let[e="",t=""]=location.hash.replace(/^#\/?/,
"").split("/",2);return{page:e===""?"tree":e,about:Xn(t)}}function Xn(e){try{return decodeURIComponent(e)}catch{return e}}
function k(e,t=""){return t===""?`#/${e}`:`#/${e}/${encodeURIComponent(t)}`}function jt({lines:e}){return e===void 0||e.length===0?o(v,{children:e===void 0?"…":"No line yet."}):o("ol",{class:"lo\
g",tabIndex:0,"aria-label":"Log lines, latest first",children:e.toReversed().map((t,n)=>o(Fn,{line:t},e.length-n))})}function Fn({
line:e}){let{agent:t,time:n,level:r,message:a,traceId:s,spanId:l,...i}=e,c=typeof s=="string"?s:"";return o("li",{class:L(
r),children:[o("time",{children:L(n).replace("T"," ").replace("Z","")})," ",o("b",{children:L(r)})," ",L(a)," ",o("span",
{class:"fields",children:ye(i)})," ",c===""?null:o("a",{href:k("traces",c),children:["trace ",c.slice(0,8)]})]})}var Un=20,jn=3e4;function C(e,t,n){let[r,a]=y({data:void 0,refusal:void 0}),s=W(()=>{}),l=W(n);l.current=n,E(()=>{if(e===
void 0)return;let p=new rt({path:e,everyMs:t,next:d=>l.current?.(d)});return p.onAnswer=d=>a({data:d,refusal:void 0,of:e}),
p.onRefusal=d=>a(m=>({data:m.of===e&&d.status!==404?m.data:void 0,refusal:d,of:e})),s.current=()=>p.askNow(),p.askNow(),
()=>p.end()},[e,t]);let i=Ot(()=>s.current(),[]),c=r.of===e;return{data:c?r.data:void 0,refusal:c?r.refusal:void 0,refresh:i}}
var rt=class{#e;#t;#i;#n=new AbortController;#o;#r=!1;#a=!1;#s;onAnswer=()=>{};onRefusal=()=>{};constructor(t){this.#e=t.
path,this.#t=t.everyMs,this.#i=t.next,document.addEventListener("visibilitychange",()=>this.#d(),{signal:this.#n.signal})}askNow(){
if(this.#r){this.#a=!0;return}clearTimeout(this.#o),this.#l()}end(){this.#n.abort(),clearTimeout(this.#o),Oe(this.#e)}#d(){
document.visibilityState==="visible"&&this.askNow()}async#l(){let t=performance.now();if(this.#r=!0,await this.#u(),this.#r=
!1,this.#n.signal.aborted)return;let n=performance.now()-t,r=Math.max(this.#t,Math.min(jn,Un*n)),a=this.#a;this.#a=!1,(document.
visibilityState==="visible"||a)&&(this.#o=setTimeout(()=>{this.#l()},a?0:r))}async#u(){let{signal:t}=this.#n,n=(this.#s===
void 0?void 0:this.#i(this.#s))??this.#e;try{let{status:r,body:a}=await U(n,{signal:t});if(t.aborted||r===204)return;this.#s=
a,this.onAnswer(a)}catch(r){!t.aborted&&r instanceof F&&this.onRefusal(r)}}};function zt({name:e}){let t=`/agents/${encodeURIComponent(e)}`,n=C(t,1500),{data:r,refusal:a}=n;return o("main",{class:"\
page",id:"main",children:[o("div",{class:"bar",children:[o("p",{class:"crumbs",children:[o("a",{href:k("tree"),children:"\
Tree"})," ",o("span",{"aria-hidden":"true",children:"/"})]}),o(M,{children:e}),r===void 0?null:o(ne,{status:r.status}),r===
void 0?null:o(Ht,{agent:r,onDone:n.refresh})]}),o(D,{refusal:a}),r===void 0?a===void 0?o(v,{children:"Loading…"}):null:
o("div",{class:"panels",children:[o(zn,{agent:r}),o(Vn,{agent:r}),o(qn,{agent:r}),r.kind==="keyed"?o(Qn,{name:e}):null,o(
Gn,{base:t}),o(Zn,{name:e}),o(Yn,{base:t}),o(eo,{base:t}),o(to,{base:t})]})]})}function zn({agent:e}){let{mailbox:t,at_hand:n,
waits_for:r,listeners:a=[],placement:s={}}=e,l=[["Class",e.class===null?e.kind:`${e.class} (${e.kind})`],["Process",e.process_id],
["Up",V(e.uptime_seconds)],["Restarts",e.restart_count],["Waiting",t.oldest_timestamp===null?t.depth:`${t.depth}, the ol\
dest for ${ue(t.oldest_timestamp).replace(" ago","")}`],["Model turns",e.session_turn_count]];e.capabilities.length>0&&l.
push(["Capabilities",e.capabilities.join(", ")]),r!==void 0&&l.push(["Waits for",o(P,{children:[`the ${r.kind} ${r.name}\
, since `,o(B,{at:r.since})]})]),e.waits_for_state===!0&&l.push(["Waits for","the state store"]);for(let{protocol:i,host:c,
port:p}of a)l.push(["Listens",`${i} ${c}:${p}`]);for(let[i,c]of Object.entries(s))l.push([`On ${i}`,c]);return o(b,{title:"\
Now",children:[o(J,{facts:l}),n.length===0?o(v,{children:"No message is at hand."}):o(O,{label:"Messages at hand",rows:n,
keyOf:({id:i})=>i,columns:[{name:"At hand",show:({type:i})=>i},{name:"From",show:({sender:i})=>o(Kt,{name:i})},{name:"Si\
nce",show:({since:i})=>o(B,{at:i})},{name:"Attempt",show:({attempt:i})=>i+1,isNumber:!0},{name:"Trace",show:({trace_id:i})=>o(
Kn,{id:i})}]})]})}function Kt({name:e}){return e===""?o("span",{class:"dull",children:"outside"}):o("a",{href:k("agents",
e),children:e})}function Kn({id:e}){return e===""?o(P,{}):o("a",{href:k("traces",e),children:e.slice(0,8)})}function Vn({
agent:e}){let{suspension:t,draining:n,approvals:r=[]}=e;if(t===null&&n===void 0)return null;let a=[];n!==void 0&&a.push(
["Draining",n.reason],["By",n.initiated_by],["Since",o(B,{at:n.since})]),t!==null&&a.push([t.halted===!0?"Halted":"Reaso\
n",t.reason],["Category",t.category],["By",t.initiated_by??"unknown"],["Since",o(B,{at:t.since})],["Survives a restart",
t.durable?"yes":"no"]);for(let s of r)a.push(["Waits for",o("a",{href:k("approvals",s),children:["approval ",s]})]);return o(
b,{title:t===null?"Draining":"Suspended",children:o(J,{facts:a})})}function qn({agent:e}){let{last_crash:t}=e;return t===
null?null:o(b,{title:"Last crash",extra:o("a",{href:k("crashes",t.id),children:"Details"}),children:o(J,{facts:[["When",
o(B,{at:t.timestamp})],["Reason",t.reason],["Message",t.message],["At",t.at??"unknown"]]})})}function Qn({name:e}){let[t,
n]=y("");return o(b,{title:"Key",children:o("form",{class:"line",onSubmit:r=>{r.preventDefault(),location.hash=k("agents",
`${e}/${t}`)},children:[o("label",{children:["Key that has an object",o("input",{required:!0,value:t,onInput:r=>n(r.currentTarget.
value)})]}),o("button",{children:"Show"})]})})}function Gn({base:e}){let{data:t,refusal:n}=C(`${e}/mailbox?limit=50`,2e3),
r=t?.depth??0;return o(b,{title:"Mailbox",extra:o("span",{class:"dull",children:r===0?"":`${r} wait`}),children:[o(D,{refusal:n}),
t===void 0||t.messages.length===0?o(v,{children:t===void 0?"…":"No message waits."}):o(O,{label:"Messages that wait",rows:t.
messages,keyOf:({id:a})=>a,columns:[{name:"Type",show:({type:a})=>a},{name:"From",show:({sender:a})=>o(Kt,{name:a})},{name:"\
Sent",show:({timestamp:a})=>o(B,{at:a})},{name:"Priority",show:({priority:a})=>a,isNumber:!0}]})]})}function Zn({name:e}){
let{data:t}=C(`/snapshot?agent=${encodeURIComponent(e)}`,3e3),n=t?.agents[e],r=(t?.budgets??[]).filter(a=>a.name===e);return o(
b,{title:"Work, cost and budget",children:[n===void 0?o(v,{children:"Nothing is counted yet."}):o(Xt,{counters:n}),o(Ft,
{budgets:r})]})}function Yn({base:e}){let{data:t,refusal:n}=C(`${e}/state`,4e3);return o(b,{title:"State",extra:o("span",
{class:"dull",children:"without secrets"}),children:[o(D,{refusal:n}),t===void 0?null:t.state===null?o(v,{children:"Ther\
e is no object of it."}):o(H,{value:t.state,label:"State"})]})}function eo({base:e}){let{data:t,refusal:n}=C(`${e}/histo\
ry`,3e3),r=(t?.history??[]).toReversed();return o(b,{title:"History",children:[o(D,{refusal:n}),r.length===0?o(v,{children:t===
void 0?"…":"Nothing yet."}):o("ol",{class:"history",tabIndex:0,"aria-label":"History, latest first",children:r.map(({event:a,
timestamp:s,...l},i)=>o("li",{children:[o(B,{at:Number(s)})," ",o("b",{children:L(a)})," ",o("span",{class:"fields",children:ye(
l)})]},`${L(s)}-${i}`))})]})}function to({base:e}){let{data:t,refusal:n}=C(`${e}/logs?limit=200`,2e3);return o(b,{title:"\
Logs",isWide:!0,children:[o(D,{refusal:n}),o(jt,{lines:t?.lines})]})}function qt(e,t){let n=e.split(`
`),r=t.split(`
`);if(n.length*r.length>4e6)return[...n.map(Vt),...r.map(c=>({kind:"new",text:c}))];let a=no(n,r),s=[],l=0,i=0;for(;l<n.
length||i<r.length;){let c=n[l],p=r[i];c!==void 0&&c===p?(s.push({kind:"same",text:c}),l+=1,i+=1):p===void 0||c!==void 0&&
ke(a,l+1,i)>=ke(a,l,i+1)?(s.push(Vt(c??"")),l+=1):(s.push({kind:"new",text:p}),i+=1)}return s}function Vt(e){return{kind:"\
gone",text:e}}function ke(e,t,n){return e[t]?.[n]??0}function no(e,t){let n=Array.from({length:e.length+1},()=>new Uint16Array(
t.length+1));for(let r=e.length-1;r>=0;r-=1)for(let a=t.length-1;a>=0;a-=1){let s=n[r];s!==void 0&&(s[a]=e[r]===t[a]?ke(
n,r+1,a+1)+1:Math.max(ke(n,r+1,a),ke(n,r,a+1)))}return n}var oo={same:" ",gone:"-",new:"+"};function ce(e){return o("pre",{class:"code diff",tabIndex:0,role:"region","aria-label":e.
label??"What was edited",children:qt(j(e.before),j(e.after)).map(({kind:t,text:n},r)=>o("span",{class:t,children:`${oo[t]}\
 ${n}
`},r))})}var ro=["pending","approved","denied","expired"];function Qt({id:e}){let[t,n]=y("pending"),r=`/approvals?limit=200${t===
""?"":`&status=${t}`}`,{data:a,refusal:s,refresh:l}=C(r,2e3);return o("main",{class:"page",id:"main",children:[o("div",{
class:"bar",children:[o(M,{children:"Approvals"}),o("select",{"aria-label":"Approvals of status",value:t,onChange:i=>n(i.
currentTarget.value),children:[ro.map(i=>o("option",{children:i},i)),o("option",{value:"",children:"any status"})]}),o("\
span",{class:"dull",role:"status",children:a===void 0?"":`${N(a.approvals.length,"approval")}${a.next===null?"":" and mo\
re"}`})]}),o(D,{refusal:s}),a?.groups_unread===void 0?null:o("p",{class:"refused",role:"alert",children:["Some are missi\
ng: the states of process group ",a.groups_unread.join(", ")," cannot be read."]}),o("div",{class:"sides",children:[o(ao,
{approvals:a?.approvals,current:e}),e===""?o(v,{children:"Choose one to see what would be done."}):o(so,{id:e,onDone:l},
e)]})]})}function ao(e){return e.approvals===void 0?o(v,{children:"Loading…"}):e.approvals.length===0?o(v,{children:"N\
othing is to be decided."}):o("ul",{class:"list","aria-label":"Approvals",children:e.approvals.map(({id:t,agent:n,kind:r,
status:a,created_at:s,expires_at:l})=>o("li",{children:o("a",{href:k("approvals",t),"aria-current":t===e.current?"true":
void 0,children:[o("b",{children:r})," ",o(ne,{status:a}),o("span",{class:"dull",children:[n,", ",o(B,{at:s}),a==="pendi\
ng"?`, ends ${we(l)}`:""]})]})},t))})}function so(e){let t=`/approvals/${encodeURIComponent(e.id)}`,{data:n,refusal:r,refresh:a}=C(
t,2e3);if(n===void 0)return r===void 0?o(v,{children:"Loading…"}):o(D,{refusal:r});let s=()=>{a(),e.onDone()},{edited_payload:l}=n;
return o("div",{class:"stack",children:[o(b,{title:n.kind,extra:o(ne,{status:n.status}),children:[o(J,{facts:[["Agent",o(
"a",{href:k("agents",n.agent),children:n.agent})],["Asked",o(B,{at:n.created_at})],[n.status==="pending"?"Ends":"Would h\
ave ended",n.status==="pending"?we(n.expires_at):o(B,{at:n.expires_at})],["Id",n.id],...n.decided_at===null?[]:[["Decide\
d",o(B,{at:n.decided_at})],["By",n.principal??"nobody"],["The agent has got it",n.delivered?"yes":"not yet"]],...n.note===
null?[]:[["Note",n.note]]]}),o("h3",{children:"Payload"}),l===null?o(H,{value:n.payload,label:"Payload"}):o(ce,{before:n.
payload,after:l})]}),n.status==="pending"&&ee("approve")?o(lo,{approval:n,onDone:s}):null]})}function io(e,t){if(e!==j(t))
try{let n=JSON.parse(e);return typeof n!="object"||n===null||Array.isArray(n)?"The payload must be an object.":j(n)===j(
t)?void 0:n}catch(n){return n instanceof Error?n.message:String(n)}}function lo(e){let{approval:t}=e,[n,r]=y(j(t.payload)),
[a,s]=y(""),[l,i]=y();E(()=>r(j(t.payload)),[t.id]);let c=io(n,t.payload),p=(f,_)=>async()=>{await U(`/approvals/${encodeURIComponent(
t.id)}/${f}`,{method:"POST",body:_}),e.onDone()},d=a.trim()===""?{}:{note:a.trim()},m=typeof c=="object",h={title:`Appro\
ve ${t.kind} of ${t.agent}?`,text:m?o(ce,{before:t.payload,after:c}):o(H,{value:t.payload,label:"Payload"}),verb:m?"Appr\
ove as edited":"Approve",act:p("approve",{...d,...m?{payload:c}:{}})},u={title:`Deny ${t.kind} of ${t.agent}?`,text:o("p",
{children:"The agent gets the denial, and can ask again."}),verb:"Deny",isDangerous:!0,act:p("deny",d)};return o(b,{title:"\
Decide",children:[t.schema===null?o("p",{class:"dull",children:"This payload cannot be edited."}):o(P,{children:[o("labe\
l",{children:["Payload to approve",o("textarea",{spellcheck:!1,value:n,onInput:f=>r(f.currentTarget.value)})]}),typeof c==
"string"?o("p",{class:"refused",children:c}):null,m?o(ce,{before:t.payload,after:c}):null,o("details",{children:[o("summ\
ary",{children:"What it has to fit"}),o(H,{value:t.schema,label:"Schema"})]})]}),o("label",{children:["Note, for the aud\
it log",o("input",{maxLength:4096,value:a,onInput:f=>s(f.currentTarget.value)})]}),o("div",{class:"buttons",children:[o(
"button",{class:"danger",onClick:()=>i(u),children:"Deny"}),o("button",{class:"primary",disabled:typeof c=="string",onClick:()=>i(
h),children:h.verb})]}),l===void 0?null:o(oe,{question:l,onClose:()=>i(void 0)})]})}function Zt({record:e}){let{messages:t,answers:n,source:r,versions:a}=e;return o(P,{children:[o(co,{record:e}),o(po,{record:e}),
r.map(s=>o(fo,{place:s},`${s.file}:${s.line}:${s.column}`)),o(b,{title:"Handled since the checkpoint",isWide:!0,children:t.
length===0?o(v,{children:"Nothing was."}):o(O,{label:"Messages that were handled since the checkpoint",rows:t,keyOf:({id:s,
sequence:l})=>`${l} ${s}`,columns:[{name:"No.",show:({sequence:s})=>s,isNumber:!0},{name:"Type",show:({type:s,verb:l})=>`${s}\
 (${l})`},{name:"From",show:({sender:s})=>s===""?"outside":s},{name:"Payload",show:({payload:s,id:l})=>o(at,{value:s,label:`\
Payload of ${l}`})}]})}),o(b,{title:"Answers since then",isWide:!0,children:n.length===0?o(v,{children:"No model, tool o\
r agent answered."}):o(O,{label:"Answers",rows:n,keyOf:(s,l)=>String(l),columns:[{name:"Of",show:({kind:s,name:l})=>`${s}\
 ${l}`},{name:"For message",show:({sequence:s})=>s,isNumber:!0},{name:"Took",show:({took_ms:s})=>V(s/1e3),isNumber:!0},{
name:"Asked",show:({request:s,name:l})=>o(at,{value:s,label:`Question to ${l}`})},{name:"Answered",show:({reply:s,error:l,
name:i})=>o(at,{value:s??l,label:`Answer of ${i}`})}]})}),o(b,{title:"Versions",children:o(J,{facts:[["agentrt",a.agentrt],
["Node",a.node],["Platform",a.platform],["Spans of the trace",e.spans.length]]})})]})}function uo(e){return/^[\w@%+=:,./-]+$/.
test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function co({record:e}){let{repeat:t,replay:n}=e,[r,a]=y(!1);if(t===null)return null;
let s=["agentrt",...t].map(uo).join(" "),l=async()=>{await navigator.clipboard.writeText(s),a(!0)},i="clipboard"in navigator;
return o(b,{title:"Repeat it",extra:i?o("button",{onClick:()=>{l()},children:r?"Copied":"Copy"}):null,children:[o("pre",
{class:"code",tabIndex:0,role:"region","aria-label":"Command that repeats the crash",children:s}),n.holds?o("p",{class:"\
dull",children:"In the folder of the project. All that the agent did since the checkpoint is in the record."}):o("p",{class:"\
refused",children:`A replay may differ: ${n.reasons.join("; ")}`})]})}function Gt({state:e,too_large:t}){return t===!0?"\
too large to be kept":e}function po({record:e}){let{checkpoint:t,state:n}=e,r=Gt(t.before),a=Gt(t.after),s=JSON.stringify(
r)===JSON.stringify(a);return o(b,{title:"State",extra:o("span",{class:"dull",children:"without secrets"}),children:[o("\
h3",{children:s?"The checkpoint, before and after":"The checkpoint, before and after the message"}),s?o(H,{value:r,label:"\
Checkpoint"}):o(ce,{before:r,after:a,label:"Checkpoint before and after"}),o("h3",{children:"At the crash"}),n===null?o(
v,{children:"It is not known."}):o(ce,{before:a,after:n,label:"Checkpoint, and the state at the crash"})]})}function fo({
place:e}){return o(b,{title:`${e.file}:${e.line}:${e.column}`,isWide:!0,children:o("pre",{class:"code lines",tabIndex:0,
role:"region","aria-label":`Lines of ${e.file} at ${e.line}`,children:e.lines.map(({line:t,text:n})=>o("span",{class:t===
e.line?"here":"",children:`${t===e.line?"▸":" "} ${String(t).padStart(4)}  ${n}
`},t))})})}function at({value:e,label:t}){if(e==null)return o("span",{class:"dull",children:"not kept"});let n=typeof e==
"object"?Object.keys(e).length:1;return o("details",{children:[o("summary",{children:N(n,"member")}),o(H,{value:e,label:t})]})}function Yt({id:e}){return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[e===""?null:o("p",{
class:"crumbs",children:[o("a",{href:k("crashes"),children:"Crashes"})," ",o("span",{"aria-hidden":"true",children:"/"})]}),
o(M,{children:e===""?"Crashes":e})]}),e===""?o(mo,{}):o(ho,{id:e},e)]})}function mo(){let{data:e,refusal:t}=C("/crashes",
3e3),n=(e?.crashes??[]).toReversed();return o(b,{title:"The latest first",isWide:!0,children:[o(D,{refusal:t}),n.length===
0?o(v,{children:e===void 0?"Loading…":"Nothing has crashed."}):o(O,{label:"Crashes",rows:n,keyOf:({id:r})=>r,columns:[
{name:"When",show:({timestamp:r})=>o(B,{at:r})},{name:"Agent",show:({agent:r})=>o("a",{href:k("agents",r),children:r})},
{name:"Reason",show:({reason:r})=>o("b",{class:"bad",children:r})},{name:"Message",show:({message:r})=>r},{name:"At",show:({
at:r})=>r??""},{name:"",show:({id:r})=>o("a",{href:k("crashes",r),children:["Details of ",r]})}]})]})}function ho({id:e}){
let{data:t,refusal:n}=C(`/crashes/${encodeURIComponent(e)}`,3e4);if(t===void 0)return n===void 0?o(v,{children:"Loading…"}):
o(D,{refusal:n});let{error:r,message_at_hand:a,trace_id:s}=t,{record:l}=t,i=l?.v===1?l:null;return o("div",{class:"panel\
s",children:[o(b,{title:`${r.code??r.name}: ${r.message}`,isWide:!0,children:[o(J,{facts:[["Agent",o("a",{href:k("agents",
t.agent),children:t.agent})],["When",o(B,{at:t.timestamp})],["At",r.at??"unknown"],...s===null?[]:[["Trace",o("a",{href:k(
"traces",s),children:s})]]]}),r.causes.map(({name:c,code:p,message:d,at:m},h)=>o("p",{children:["because of ",o("b",{children:p??
c}),": ",d," ",m===null?"":`at ${m}`]},h))]}),a===null?null:o(b,{title:"The message at hand",children:[o(J,{facts:[["Typ\
e",a.type],["From",a.sender===""?"outside":a.sender],["Sent",o(B,{at:a.timestamp})],["Id",a.id]]}),i?.message==null?null:
o(H,{value:i.message.payload,label:"Payload of the message"})]}),i===null?null:o(Zt,{record:i}),o(b,{title:"Stack",isWide:!0,
children:o("pre",{class:"code",tabIndex:0,role:"region","aria-label":"Stack",children:r.stack.join(`
`)})})]})}var en={noRoute:"nobody has the name",refused:"the mailbox is full, or takes nothing",expired:"its time was over",stopped:"\
its agent has stopped",crashed:"its agent crashed with it",skipped:"its agent gave it up",removed:"somebody took it out"};
function tn(){let{data:e,refusal:t,refresh:n}=C("/dead-letters",3e3),[r,a]=y(""),[s,l]=y(),i=r.toLowerCase(),c=(e?.dead_letters??
[]).toReversed().filter(({recipient:p,sender:d,type:m,reason:h})=>`${p} ${d} ${m} ${h}`.toLowerCase().includes(i));return o(
"main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o(M,{children:"Dead letters"}),o("input",{type:"\
search","data-filter":!0,"aria-label":"Dead letters with this text",placeholder:"Filter ( / )",value:r,onInput:p=>a(p.currentTarget.
value)}),o("p",{class:"counts",role:"status",children:Object.entries(e?.counts??{}).filter(([,p])=>p>0).map(([p,d])=>o("\
span",{title:en[p],children:[p," ",I(d)]},p))})]}),o(D,{refusal:t}),o(b,{title:"Messages that nobody handled, the latest\
 first",isWide:!0,children:c.length===0?o(v,{children:e===void 0?"Loading…":"There is none."}):o(yo,{letters:c,onReplay:p=>l(
go(p,n))})}),s===void 0?null:o(oe,{question:s,onClose:()=>l(void 0)})]})}function go({id:e,recipient:t,type:n},r){return{
title:`Send it to ${t} again?`,text:o("p",{children:[n," is sent once more, with a new id. Nobody gets its reply. Mend t\
he agent first."]}),verb:"Replay",act:async()=>{let a=`/dead-letters/${encodeURIComponent(e??"")}/replay`;await U(a,{method:"\
POST",body:{}}),r()}}}function yo(e){let t=n=>n===""?o("span",{class:"dull",children:"outside"}):o("a",{href:k("agents",
n),children:n});return o(O,{label:"Dead letters",rows:e.letters,keyOf:({id:n,timestamp:r},a)=>`${n??""} ${r} ${a}`,columns:[
{name:"Given up",show:({timestamp:n})=>o(B,{at:n})},{name:"Why",show:({reason:n})=>o("span",{title:en[n],children:n})},{
name:"Type",show:({type:n})=>n},{name:"To",show:({recipient:n})=>t(n)},{name:"From",show:({sender:n})=>t(n)},{name:"Trac\
e",show:({trace_id:n})=>n===null||n===""?"":o("a",{href:k("traces",n),children:n.slice(0,8)})},{name:"Again",show:n=>n.replayable===
!0&&n.id!==null&&ee("operate")?o("button",{onClick:()=>e.onReplay(n),children:"Replay"}):""}]})}var _o=1e3;async function nn(e,t){let n="";for(;!t.signal.aborted;){let r=l=>{l.id!==""&&(n=l.id),t.onEvent(l)},a=n===""?
e:`/events?last_event_id=${encodeURIComponent(n)}`,s=await bo(a,{...t,onEvent:r});if(t.signal.aborted)return;on(s),await new Promise(
l=>setTimeout(l,_o))}}function on(e){let t=new Map(de.value);e===void 0?t.delete("/events"):t.set("/events",e),de.set(t)}
async function bo(e,{signal:t,onEvent:n}){try{let r=await fetch(et(e),{signal:t,credentials:"same-origin"});if(r.status===
401){await he("The session is over. Sign in again.");return}if(!r.ok||r.body===null)return`answers ${r.status}`;on(void 0);
let a=r.body.pipeThrough(new TextDecoderStream).getReader(),s="";for(let l=await a.read();!l.done;l=await a.read()){let i=`${s}${l.
value}`.split(`

`);s=i.pop()??"";for(let c of i){let p=vo(c);p!==void 0&&n(p)}}return}catch{return t.aborted?void 0:"no answer"}}function vo(e){
let t="",n="",r="";for(let a of e.split(`
`))a.startsWith("id: ")?t=a.slice(4):a.startsWith("event: ")?n=a.slice(7):a.startsWith("data: ")&&(r+=a.slice(6));if(!(n===
""||r===""))return{id:t,type:n,data:JSON.parse(r)}}var rn=8;function Me(e){let{rows:t,rowHeight:n}=e,r=W(null),[a,s]=y({top:0,height:600}),[l,i]=y(),c=W(!1);E(()=>wo(r.current,
s),[]);let p=t.findIndex(g=>e.keyOf(g)===l),d=p===-1?0:p,m=Math.max(0,Math.floor(a.top/n)-rn),h=Math.min(t.length,Math.ceil(
(a.top+a.height)/n)+rn),u=Math.ceil(a.top/n),f=d>=m&&d<h,_=g=>g===(f?d:u)?0:-1;Dt(()=>{if(!c.current)return;let g=r.current?.
querySelector(`[aria-rowindex="${d+2}"]`);g!=null&&(c.current=!1,g.focus({preventScroll:!0}))});let w=g=>{let S=t[Math.max(
0,Math.min(t.length-1,g))];S!==void 0&&(c.current=!0,i(e.keyOf(S)),ko(r.current,t.indexOf(S)*n,n))},$=g=>{if(!(g.target instanceof
HTMLElement&&g.target.role==="row")||g.ctrlKey||g.altKey||g.metaKey)return;let x=xo(g.key,{activeIndex:d,rowCount:t.length,
view:a,rowHeight:n}),pe=t[d];if(x!==void 0)w(x);else if(pe===void 0||e.onKey?.(g.key,pe)!==!0)return;g.preventDefault()};
return o("div",{class:"grid",role:e.role,"aria-label":e.label,"aria-rowcount":t.length+1,"aria-colcount":e.columnCount,children:[
e.head,o("div",{class:"rows",role:"rowgroup",ref:r,onKeyDown:$,children:o("div",{class:"all",role:"presentation",style:{
height:`${t.length*n}px`},children:t.slice(m,h).map((g,S)=>o("div",{role:"row",class:"row","aria-rowindex":m+S+2,tabIndex:_(
m+S),onFocus:()=>i(e.keyOf(g)),onClick:()=>e.onChoose?.(g),style:{top:`${(m+S)*n}px`,height:`${n}px`},...e.about?.(g),children:e.
show(g)},e.keyOf(g)))})})]})}function wo(e,t){if(e===null)return()=>{};let n=()=>t({top:e.scrollTop,height:e.clientHeight}),
r=new ResizeObserver(n);return r.observe(e),e.addEventListener("scroll",n,{passive:!0}),n(),()=>{r.disconnect(),e.removeEventListener(
"scroll",n)}}function ko(e,t,n){e!==null&&(t<e.scrollTop?e.scrollTop=t:t+n>e.scrollTop+e.clientHeight&&(e.scrollTop=t+n-
e.clientHeight))}function xo(e,t){let n=Math.max(1,Math.floor(t.view.height/t.rowHeight)-1);switch(e){case"ArrowDown":return t.
activeIndex+1;case"ArrowUp":return t.activeIndex-1;case"PageDown":return t.activeIndex+n;case"PageUp":return t.activeIndex-
n;case"Home":return 0;case"End":return t.rowCount-1;default:return}}var an=2e3;function sn(){let[e,t]=y([]),[n,r]=y(!1),[a,s]=y(""),[l,i]=y(),c=W(!1);c.current=n,E(()=>$o({setRows:t,isPaused:()=>c.
current}),[]);let p=z(()=>{let d=a.toLowerCase().split(" ");return e.filter(({text:m})=>d.every(h=>m.includes(h)))},[e,a]);
return o("main",{class:"page fill",id:"main",children:[o("div",{class:"bar",children:[o(M,{children:"Events"}),o("input",
{type:"search","data-filter":!0,"aria-label":"Events with these words",placeholder:"Filter: agent, type, text ( / )",value:a,
onInput:d=>s(d.currentTarget.value)}),o("button",{"aria-pressed":n,onClick:()=>r(!n),children:n?"Go on":"Pause"}),o("spa\
n",{class:"dull",children:[N(p.length,"event"),", latest first"]})]}),p.length===0?o(v,{children:e.length===0?"Nothing h\
as happened yet.":"No event fits."}):o(Me,{label:"Events",role:"grid",rows:p,rowHeight:30,columnCount:4,keyOf:d=>String(
d.number),onKey:(d,m)=>d!=="Enter"&&d!==" "?!1:(i(m),!0),onChoose:i,head:o(So,{}),show:d=>o(To,{row:d})}),l===void 0?null:
o(b,{title:l.type,extra:o("button",{onClick:()=>i(void 0),children:"Close"}),children:o(H,{value:l.data,label:"Event"})})]})}
function So(){return o("div",{role:"rowgroup",class:"head events",children:o("div",{role:"row",class:"row","aria-rowinde\
x":1,children:["Time","Type","Agent","What"].map(e=>o("div",{role:"columnheader",class:`cell col-${e.toLowerCase()}`,children:e},
e))})})}function To({row:e}){let{type:t,agent:n,timestamp:r,...a}=e.data,s=/crash|exhausted|exceeded|halted|late|fail/.test(
e.type);return o(P,{children:[o("div",{role:"gridcell",class:"cell col-time",children:[typeof r=="number"?te(r).slice(11,
19):"",o("span",{class:"fraction",children:typeof r=="number"?te(r).slice(19):""})]}),o("div",{role:"gridcell",class:s?"\
cell col-type bad":"cell col-type",children:e.type}),o("div",{role:"gridcell",class:"cell col-agent",children:e.agent===
""?"":o("a",{href:k("agents",e.agent),tabIndex:-1,children:e.agent})}),o("div",{role:"gridcell",class:"cell col-what",children:ye(
a)})]})}function $o(e){let t=new AbortController,n=[],r=0,a=!1,s=()=>{if(a=!1,t.signal.aborted)return;if(e.isPaused()){l();
return}let c=n.splice(0).reverse();e.setRows(p=>[...c,...p].slice(0,an))},l=()=>{a||(a=!0,setTimeout(()=>requestAnimationFrame(
s),100))},i=c=>{r+=1;let{agent:p}=c.data,d=typeof p=="string"?p:"",m=`${c.type} ${L(c.data)}`.toLowerCase();n.push({...c,
number:r,agent:d,text:m}),n.length>an&&n.shift(),l()};return nn("/events?recent=500",{signal:t.signal,onEvent:i}),()=>{t.
abort(),Oe("/events")}}var xe=new Q(void 0);function ln(){let{data:e}=C("/health",3e3);E(()=>{e!==void 0&&xe.set(e)},[e])}var Co={start:["+","good"],stop:["−","bad"],restart:["↻","wait"],move:["→","dull"],change:["~","wait"]};function dn(){
let[e,t]=y(""),[n,r]=y("topology.yaml"),[a,s]=y(),[l,i]=y([]),[c,p]=y(),d=C("/apply",3e3),m=async()=>{i([]),s(void 0);try{
s({text:e,plan:(await U("/plan",{method:"POST",body:{topology:e,name:n}})).body})}catch(_){i(Eo(_))}},h=async _=>{_!==void 0&&
(r(_.name),t(await _.text()))},u=a?.text===e,f=async()=>{await U("/apply",{method:"POST",body:{topology:e,name:n}}),s(void 0),
d.refresh()};return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o(M,{children:"Plan and ap\
ply"}),o(No,{apply:d.data})]}),o(b,{title:"Another topology",isWide:!0,children:[o("form",{class:"stack",onSubmit:_=>{_.
preventDefault(),m()},children:[o("label",{children:["A file of this machine",o("input",{type:"file",accept:".yaml,.yml,\
.json",onChange:_=>{h(_.currentTarget.files?.[0])}})]}),o("label",{children:["Its text",o("textarea",{required:!0,spellcheck:!1,
value:e,onInput:_=>t(_.currentTarget.value)})]}),o("div",{class:"buttons",children:o("button",{class:"primary",children:"\
Plan"})})]}),l.length===0?null:o("p",{class:"refused",role:"alert",children:l.join(`
`)})]}),a===void 0?null:o(Ao,{plan:a.plan,isCurrent:u,onApply:()=>p(Po(a.plan,f))}),c===void 0?null:o(oe,{question:c,onClose:()=>p(
void 0)})]})}function Eo(e){if(!(e instanceof F))return[e instanceof Error?e.message:String(e)];let{problems:t}=e.body;return Array.
isArray(t)?t.map(String):[e.message]}function No({apply:e}){if(e===void 0||e.status==="none")return null;let{status:t,timestamp:n,
error:r,late:a=[]}=e;return o("p",{class:t==="failed"?"refused":"done",role:"status",children:["The latest apply: ",t," ",
n===void 0?null:o(B,{at:n}),r===void 0?"":`: ${r}`,a.length===0?"":`; did not stop in time: ${a.join(", ")}`]})}function un({
nodes:e,counts:t}){let n=e.filter(({action:a})=>a==="stop"||a==="restart"),r=a=>n.reduce((s,l)=>s+a(l),0);return{down:(t.
stop??0)+(t.restart??0),atHand:r(a=>a.messages_at_hand),waiting:r(a=>a.messages_waiting),children:r(a=>a.children_count)}}
function Po(e,t){let{down:n,atHand:r,waiting:a,children:s}=un(e);return{title:"Put this topology in place of the one tha\
t runs?",text:o("p",{children:[N(n,"node")," stop or restart, with ",N(r,"message")," at hand,"," ",N(a,"message")," tha\
t wait and ",N(s,"child","children"),". What fails is undone."]}),verb:"Apply",isDangerous:!0,act:t}}function Ao(e){let{
plan:t}=e,{down:n,atHand:r,waiting:a,children:s}=un(t),l=t.needs_restart.length>0,i=Object.entries(t.counts).filter(([,c])=>c>
0);return o(b,{title:t.changes?"What it changes":"It changes nothing",extra:t.changes&&!l&&ee("operate")?o("button",{class:"\
danger",disabled:!e.isCurrent,onClick:e.onApply,children:e.isCurrent?"Apply":"The text has changed: plan again"}):null,isWide:!0,
children:[o(J,{facts:[...i.map(([c,p])=>[c,p]),["Stop or restart",N(n,"node")],["At hand there",N(r,"message")],["Waitin\
g there",N(a,"message")],["End with them",N(s,"child","children")]]}),l?o("p",{class:"refused",role:"alert",children:`It\
 cannot be applied: the process has to be restarted.
${t.needs_restart.join(`
`)}`}):null,t.workers_away.length===0?null:o("p",{class:"dull",children:["No worker is there for ",t.workers_away.join("\
, "),": they get it when one comes."]}),t.parts.map(({kind:c,name:p,action:d})=>o("p",{children:[d," ",c," ",p]},`${c} ${p}`)),
t.nodes.length===0?o(v,{children:"No node is touched."}):o(Bo,{nodes:t.nodes})]})}function Bo({nodes:e}){return o(O,{label:"\
Nodes that change",rows:e,keyOf:({name:t,action:n})=>`${n} ${t}`,columns:[{name:"Does",show:({action:t})=>{let[n,r]=Co[t]??
["·","dull"];return o("span",{class:`status ${r}`,children:[o("span",{class:"mark","aria-hidden":"true",children:n}),t]})}},
{name:"Node",show:({name:t,kind:n})=>`${t} (${n})`},{name:"Where",show:({parent:t,moved_from:n})=>`${t??"the root"}${n===
null?"":`, from ${n}`}`},{name:"Because",show:({because:t})=>t.map(n=>o("div",{children:n},n))},{name:"At hand",show:t=>t.
messages_at_hand,isNumber:!0},{name:"Waiting",show:t=>t.messages_waiting,isNumber:!0},{name:"Ends with it",show:({children_count:t,
children:n})=>t===0?"":`${t}: ${n.join(", ")}${t>n.length?" …":""}`},{name:"A crash restarts",show:t=>t.crash_restarts.
join(", ")}]})}var Ro=[["key","API key"],["token","Token (JWT)"],["header","Other header"]];function cn({notice:e}){let[t,n]=y("key"),[
r,a]=y("X-"),[s,l]=y(""),[i,c]=y(""),[p,d]=y(!1),m=async()=>{d(!0),c("");let u=s.trim();try{let f=await nt(Oo(t,u,r.trim()));
f!==void 0&&c(f.message)}catch(f){c(f instanceof Error?f.message:String(f))}d(!1)},h=async()=>{try{await tt("No certific\
ate lets this browser in.")}catch(u){c(u instanceof Error?u.message:String(u))}};return o("main",{class:"sign-in",children:o(
"form",{onSubmit:u=>{u.preventDefault(),m()},children:[o("h1",{children:[o("span",{class:"brand",children:"agentrt"})," \
console of ",De]}),e===""?null:o("p",{role:"status",children:e}),o("fieldset",{children:[o("legend",{children:"Sign in w\
ith"}),Ro.map(([u,f])=>o("label",{class:"choice",children:[o("input",{type:"radio",name:"way",checked:t===u,onChange:()=>n(
u)}),f]},u))]}),t==="header"?o("label",{children:["Name of the header",o("input",{required:!0,pattern:"[xX]-[\\w\\-]+",title:"\
X- and letters, digits or dashes",value:r,onInput:u=>a(u.currentTarget.value)})]}):null,o("label",{children:[Do[t],o("in\
put",{type:"password",autocomplete:"off",spellcheck:!1,required:!0,value:s,onInput:u=>l(u.currentTarget.value)})]}),i===
""?null:o("p",{class:"refused",role:"alert",children:i}),o("div",{class:"buttons",children:[o("button",{type:"button",onClick:()=>{
h()},children:"Use a certificate, or none"}),o("button",{class:"primary",disabled:p,children:"Sign in"})]}),o("p",{class:"\
hint",children:"The key or token is sent to this server once. The browser keeps a cookie that ends after 30 minutes with\
out use, after 12 hours, and with the token."})]})})}var Do={key:"Key",token:"Token",header:"Value"};function Oo(e,t,n){
switch(e){case"key":return{"x-api-key":t};case"token":return{authorization:`Bearer ${t}`};case"header":return{[n]:t,"x-a\
gentrt-credential-header":n}}}var pn="agentrt-console-theme",Ie=["auto","light","dark"],Mo={auto:"◐ Auto",light:"☀ Light",dark:"☾ Dark"};function fn(){
let[e,t]=y(Io());E(()=>{document.documentElement.dataset.theme=e;try{localStorage.setItem(pn,e)}catch{}},[e]);let n=Ie[(Ie.
indexOf(e)+1)%Ie.length]??"auto";return o("button",{onClick:()=>t(n),"aria-label":`Theme: ${e}. Change to ${n}`,children:Mo[e]})}
function Io(){try{let e=localStorage.getItem(pn);return Ie.find(t=>t===e)??"auto"}catch{return"auto"}}function mn(e){let t=e.reduce((p,d)=>Math.min(p,d.start_time),1/0),n=e.reduce((p,d)=>Math.max(p,d.end_time),-1/0),r=Math.
max(0,n-t),a=new Set(e.map(({span_id:p})=>p)),s=new Map;for(let p of e.toSorted((d,m)=>d.start_time-m.start_time)){let{parent_span_id:d}=p,
m=d!==null&&a.has(d)&&d!==p.span_id?d:"";s.set(m,[...s.get(m)??[],p])}let l=[],i=new Set,c=(p,d)=>{if(i.has(p.span_id))return;
i.add(p.span_id);let m=f=>r===0?0:(f-t)/r,h=m(p.start_time),u=r===0?1:m(p.end_time)-h;l.push({span:p,depth:d,from:h,length:u});
for(let f of s.get(p.span_id)??[])c(f,d+1)};for(let p of s.get("")??[])c(p,0);for(let p of e)c(p,0);return{rows:l,seconds:r}}function hn({id:e}){let[t,n]=y(e);return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o(M,{
children:e===""?"Traces":`Trace ${e.slice(0,8)}`}),o("form",{class:"line",onSubmit:r=>{r.preventDefault(),location.hash=
k("traces",t.trim())},children:[o("input",{"data-filter":!0,"aria-label":"Id of a trace",placeholder:"Id of a trace ( / \
)",size:34,value:t,onInput:r=>n(r.currentTarget.value)}),o("button",{children:"Show"})]})]}),e===""?o(Jo,{}):o(Ho,{id:e},
e)]})}function Lo({lines:e}){let t=new Map;for(let{traceId:n,agent:r,time:a,message:s}of e){if(typeof n!="string")continue;
let l=t.get(n),i=L(r);t.delete(n),t.set(n,{id:n,time:L(a),agents:[...new Set([...l?.agents??[],i])],lineCount:(l?.lineCount??
0)+1,message:L(s)})}return[...t.values()].toReversed().slice(0,200)}function Jo(){let{data:e,refusal:t}=C("/logs?limit=1\
000",4e3),n=z(()=>e===void 0?[]:Lo(e),[e]);return o(b,{title:"Lately, by log lines",isWide:!0,children:[o(D,{refusal:t}),
n.length===0?o(v,{children:e===void 0?"…":"No log line names a trace. Ids are also on agents, dead letters and crashes\
."}):o(O,{label:"Traces",rows:n,keyOf:({id:r})=>r,columns:[{name:"Trace",show:({id:r})=>o("a",{href:k("traces",r),children:r.
slice(0,16)})},{name:"Last line",show:({time:r})=>r.replace("T"," ").replace("Z","")},{name:"Agents",show:({agents:r})=>r.
join(", ")},{name:"Lines",show:({lineCount:r})=>r,isNumber:!0},{name:"Says",show:({message:r})=>r}]})]})}function Ho({id:e}){
let{data:t,refusal:n}=C(`/traces/${encodeURIComponent(e)}`,3e3),r=z(()=>t===void 0?void 0:mn(t.spans),[t]),[a,s]=y();if(r===
void 0)return n===void 0?o(v,{children:"Loading…"}):o(D,{refusal:n});let l=Math.min(...r.rows.map(({span:i})=>i.start_time));
return o(b,{title:`${N(r.rows.length,"span")} in ${V(r.seconds)}`,extra:o("span",{class:"dull",children:te(l)}),isWide:!0,
children:o("ol",{class:"waterfall","aria-label":"Spans",children:r.rows.map(i=>o(Wo,{row:i,start:l,isOpen:a===i.span.span_id,
onToggle:()=>s(a===i.span.span_id?void 0:i.span.span_id)},i.span.span_id))})})}function Wo(e){let{span:t,depth:n,from:r,
length:a}=e.row,s=t.end_time-t.start_time,l=V(t.start_time-e.start),i=t.status==="error";return o("li",{children:[o("but\
ton",{class:"span","aria-expanded":e.isOpen,onClick:e.onToggle,children:[o("span",{class:"title",style:{paddingLeft:`${Math.
min(n,16)*.9}rem`},children:[i?o("span",{class:"bad",children:"✖ error "}):null,t.name]}),o("span",{class:"track","ari\
a-hidden":"true",children:o("span",{class:i?"bar-error":"bar-good",style:{marginLeft:`${r*100}%`,width:`max(2px, ${a*100}\
%)`}})}),o("span",{class:"duration",children:[V(s),o("span",{class:"hidden",children:[", ",l," after the start"]})]})]}),
e.isOpen?o("div",{class:"details",children:[t.error_message===null?null:o("p",{class:"refused",children:t.error_message}),
o(H,{label:`Attributes of ${t.name}`,value:{kind:t.kind,starts:te(t.start_time),...t.attributes}})]}):null]})}var Le=["CRASHED","STOPPED","STOPPING","SUSPENDED","INITIALIZING","RUNNING"];function gn(e,t){let n=new Map,r=[],a=t.text!==
""||t.status!=="",s=(i,c)=>{let p="status"in i?i.status:void 0;p!==void 0&&i.type!=="dynamic_supervisor"&&n.set(p,(n.get(
p)??0)+1);let d="children"in i?i.children:[],m=a||!t.closed.has(i.name),h=r.length;r.push(void 0);let u=p===void 0?Le.length-
1:Xo(p),f=0,_=!a||Fo(i.name,p,t);return d.forEach((w,$)=>{let g=r.length,S={position:$+1,siblingCount:d.length},x=s(w,{depth:c.
depth+1,...S});u=Math.min(u,x.worst),f+=1+x.below,_||=x.isShown,(!m||!x.isShown)&&(r.length=g)}),r[h]={...c,name:i.name,
kind:i.type,status:p??Le[u]??"RUNNING",restartCount:i.restart_count,note:Uo(i),belowCount:f,hasChildren:d.length>0,isOpen:m,
processId:i.process_id},{worst:u,below:f,isShown:_}},{isShown:l}=s(e,{depth:0,position:1,siblingCount:1});return{rows:l?
r:[],counts:n}}function Xo(e){let t=Le.indexOf(e);return t===-1?Le.length-1:t}function Fo(e,t,n){return e.toLowerCase().
includes(n.text.toLowerCase())?n.status===""?!0:t===void 0?!1:n.status==="not RUNNING"?t!=="RUNNING":t===n.status:!1}function Uo(e){
switch(e.type){case"supervisor":return`${e.strategy}${e.crashes_in_window>0?`, ${N(e.crashes_in_window,"crash","crashes")}\
 lately`:""}`;case"dynamic_supervisor":return`${e.live_count} of ${e.max_children??"any number"} children`;case"pool":return`${e.
busy_count} busy, ${e.min} to ${e.max} members, ${e.mailbox_depth} wait`;case"keyed":return`${e.resident_count} keys in \
memory, ${e.mailbox_depth} wait${e.failed_count>0?`, ${e.failed_count} refuse`:""}`;default:return[e.halted===void 0?"":
`halted by ${e.halted.initiated_by}`,e.approvals===void 0?"":"waits for an approval",e.halted===void 0&&e.approvals===void 0?
e.suspend_category??"":""].filter(t=>t!=="").join(", ")}}var jo=["not RUNNING","RUNNING","SUSPENDED","CRASHED","STOPPED","INITIALIZING"];function zo({revision:e}){return e===void 0?
"/topology":`/topology?since=${encodeURIComponent(e)}`}function _n(){let e=C("/topology",1500,zo),t=C("/overview",5e3),n=le(
xe),[r,a]=y(""),[s,l]=y(""),[i,c]=y(new Set),p=z(()=>new Map(t.data?.agents.map(h=>[h.name,h])),[t.data]),d=z(()=>e.data===
void 0?void 0:gn(e.data,{text:r,status:s,closed:i}),[e.data,r,s,i]),m=(h,u=!h.isOpen)=>{if(!h.hasChildren||h.isOpen===u)
return!1;let f=new Set(i);return u?f.delete(h.name):f.add(h.name),c(f),!0};return o("main",{class:"page fill",id:"main",
children:[o("div",{class:"bar",children:[o(M,{children:"Tree"}),o("input",{type:"search","data-filter":!0,"aria-label":"\
Names that contain",placeholder:"Filter by name ( / )",value:r,onInput:h=>a(h.currentTarget.value)}),o("select",{"aria-l\
abel":"Agents of status",value:s,onChange:h=>l(h.currentTarget.value),children:[o("option",{value:"",children:"any statu\
s"}),jo.map(h=>o("option",{children:h},h))]}),o(Ko,{counts:d?.counts})]}),o(Vo,{health:n,overview:t.data}),o(D,{refusal:e.
refusal}),d===void 0?e.refusal===void 0?o(v,{children:"Loading…"}):null:d.rows.length===0?o(v,{children:"No agent fits\
."}):o(Qo,{rows:d.rows,figures:p,onToggle:m})]})}function Ko({counts:e}){if(e===void 0)return null;let t=[...e.values()].
reduce((n,r)=>n+r,0);return o("p",{class:"counts",role:"status",children:[o("span",{children:N(t,"agent")}),[...e].map(([
n,r])=>o("span",{children:[o(ne,{status:n})," ",I(r)]},n))]})}function Vo(e){let t=e.health===void 0?[]:qo(e.health);for(let{
name:n,since:r}of e.overview?.models_silent??[])t.push(`the model ${n} has answered nobody since ${ue(r)}`);for(let{name:n}of e.
overview?.budgets_used_up??[])t.push(`the budget of ${n} is used up`);return t.length===0?null:o("ul",{class:"notices","\
aria-label":"What is wrong",children:t.map(n=>o("li",{children:[o("span",{"aria-hidden":"true",children:"▲"})," ",n]},
n))})}function qo(e){let{approvals:t,halted:n=[],leader:r}=e,a=[];if(e.status==="degraded"){e.failed.length>0&&a.push(`g\
iven up: ${e.failed.join(", ")}`),e.state!==void 0&&a.push(`no state is saved: ${e.state.reason}`);for(let s of e.workers_away??
[])a.push(`no worker for ${s}`);for(let s of e.workers_silent??[])a.push(`the worker ${s} is silent`);e.audit!==void 0&&
a.push(`no audit: ${e.audit.reason}`)}r!==void 0&&a.push(`this supervisor waits: ${r} leads`);for(let s of n)a.push(`${s}\
 is halted by an eval agent`);return t!==void 0&&t.pending>0&&a.push(`${N(t.pending,"approval")} to be decided`),a}var yn=[
"Name","Status","Kind","Mailbox","At hand","Restarts","Cost","Notes"];function Qo(e){let t=r=>st(r)?e.onToggle(r):(location.
hash=k("agents",r.name),!0),n=(r,a)=>r==="ArrowRight"?e.onToggle(a,!0):r==="ArrowLeft"?e.onToggle(a,!1):r==="Enter"||r===
" "?t(a):!1;return o(Me,{label:"Agents and supervisors",role:"treegrid",rows:e.rows,rowHeight:34,columnCount:yn.length,keyOf:r=>r.
name,onKey:n,about:r=>({"aria-level":r.depth+1,"aria-posinset":r.position,"aria-setsize":r.siblingCount,...r.hasChildren?
{"aria-expanded":r.isOpen}:{}}),head:o("div",{role:"rowgroup",class:"tree head",children:o("div",{role:"row",class:"row",
"aria-rowindex":1,children:yn.map(r=>o("div",{role:"columnheader",class:`cell col-${r.toLowerCase().replace(" ","-")}`,children:r},
r))})}),show:r=>o(Go,{row:r,figures:e.figures.get(r.name),onToggle:e.onToggle})})}function st({kind:e}){return e==="supe\
rvisor"||e==="dynamic_supervisor"}function Go(e){let{row:t,figures:n}=e,r=(l,i)=>o("div",{role:"gridcell",class:`cell co\
l-${l}`,children:i}),a=n?.waits_for,s=n?.at_hand;return o(P,{children:[o("div",{role:"gridcell",class:"cell col-name",style:{
paddingLeft:`${.25+Math.min(t.depth,12)}rem`},children:[t.hasChildren?o("button",{class:"twist",tabIndex:-1,"aria-label":`${t.
isOpen?"Close":"Open"} ${t.name}`,onClick:()=>e.onToggle(t),children:t.isOpen?"▾":"▸"}):o("span",{class:"twist"}),st(
t)?o("span",{class:"group",children:t.name}):o("a",{href:k("agents",t.name),tabIndex:-1,children:t.name}),t.hasChildren&&
!t.isOpen?o("span",{class:"below",children:t.belowCount}):null]}),r("status",o(ne,{status:t.status,isBelow:st(t)&&t.status!==
"RUNNING"})),r("kind",t.kind.replace("_supervisor","")),r("mailbox",n===void 0?"":I(n.mailbox_depth)),r("at-hand",s==null?
"":ue(s.since).replace(" ago","")),r("restarts",t.restartCount===0?"":t.restartCount),r("cost",n===void 0||n.cost_usd===
0?"":ge(n.cost_usd)),r("notes",a===void 0?t.note:`waits for the ${a.kind} ${a.name}`)]})}function vn(){let e=le(K);return E(()=>{he().catch(()=>setTimeout(wn,2e3))},[]),e.kind==="in"?o(Zo,{session:e.session}):
e.kind==="out"?o(cn,{notice:e.notice}):o("main",{class:"page",children:[o(kn,{}),o(v,{children:"Loading…"})]})}function wn(){
he().catch(()=>setTimeout(wn,2e3))}var it=[{name:"tree",label:"Tree",show:()=>o(_n,{})},{name:"approvals",label:"Approva\
ls",show:e=>o(Qt,{id:e})},{name:"events",label:"Events",show:()=>o(sn,{})},{name:"traces",label:"Traces",show:e=>o(hn,{id:e},
e)},{name:"crashes",label:"Crashes",show:e=>o(Yt,{id:e})},{name:"dead-letters",label:"Dead letters",show:()=>o(tn,{})},{
name:"plan",label:"Plan",show:()=>o(dn,{})}];function Zo({session:e}){let{page:t,about:n}=le(ot);ln();let r=le(xe)?.approvals?.
pending??0;E(()=>(document.addEventListener("keydown",bn),()=>document.removeEventListener("keydown",bn)),[]);let a=it.find(
({name:c})=>c===t)??it[0],s=t==="agents"&&n!=="",l=s?n:a?.label??"",i=W(null);return E(()=>{i.current?.querySelector("[a\
ria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[t]),E(()=>{document.title=`${l} · ${De}: agentrt c\
onsole`},[l]),o(P,{children:[o("a",{class:"skip",href:"#main",onClick:Yo,children:"To the content"}),o("header",{class:"\
top",children:[o("a",{class:"brand",href:k("tree"),children:"agentrt"}),o("nav",{"aria-label":"Pages",ref:i,children:it.
map(({name:c,label:p})=>o("a",{href:k(c),"aria-current":!s&&c===a?.name?"page":void 0,children:[p,c==="approvals"&&r>0?o(
"span",{class:"badge",children:r}):null]},c))}),o("div",{class:"who",children:[o("span",{title:`may: ${e.scopes?.join(",\
 ")??"all"}`,children:[e.principal,e.scopes===null?"":` (${e.scopes.join(", ")||"nothing"})`]}),o(fn,{}),o("button",{onClick:()=>{
Jt()},children:"Sign out"})]})]}),o(kn,{}),s?o(zt,{name:n},n):a?.show(n)]})}function Yo(e){e.preventDefault(),document.querySelector(
"main h1")?.focus()}function bn(e){let t=e.target instanceof HTMLElement&&e.target.matches("input, textarea, select");if(e.
key!=="/"||t||e.ctrlKey||e.metaKey||e.altKey)return;let n=document.querySelector("[data-filter]");n!==null&&(e.preventDefault(),
n.focus())}function kn(){let e=[...le(de)];if(e.length===0)return null;let t=e.every(([,r])=>r==="no answer"),n=e.slice(
0,3).map(([r,a])=>`${r}: ${a}`);return o("p",{class:"banner",role:"alert",children:[o("span",{"aria-hidden":"true",children:"\
▲"})," ",t?"The server does not answer. What you see is what was known last; the page asks again.":n.join("; ")]})}var lt=document.querySelector("#console");lt!==null&&(lt.replaceChildren(),xt(o(vn,{}),lt));
