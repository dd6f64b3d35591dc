/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */
var T,vt,Vn,te,Ue,Me,wt,Ee,kt,Ke,Fe,Gn,we=Symbol.for("pv"),Oe={},Le=[],Qn=/^m(i|n|o|s|text|space)$/,je=Array.isArray,xt=Le.
slice,ue=Object.assign;function de(e){e&&e.parentNode&&e.remove()}function Pe(e,t,n,r,a){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:we,__v:a||
++vt,__i:-1,__u:0};return!a&&T.vnode&&T.vnode(s),s}function B(e){return e.children}function Re(e,t){this.props=e,this.context=t,this.__g=0}function ne(e,t){if(t==null)return e.
__&&ne(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||
e.props.__P?null:ne(e)}function Zn(e){var t,n=e.__v,r=n.__e,a=[],s=[],l=e.__P;l&&((t=ue({constructor:we},n)).__v=n.__v+1,
T.vnode&&T.vnode(t),qe(l,t,n,e.__n,l.namespaceURI,32&n.__u?[r]:null,a,r||ne(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,
Bt(a,t,s),n.__=n.__e=null,t.__e!=r&&St(t))}function St(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(
function(t){return t&&(e.__e=t.__e)}),St(e)}function _t(e){(8&e.__g||(e.__g|=8,te.push(e),Me++))&&Ue==T.debounceRendering||
((Ue=T.debounceRendering)||queueMicrotask)(Tt)}function Tt(){try{for(var e,t=1;te.length;)te.length>t&&te.sort(wt),e=te.
shift(),t=te.length,8&e.__g&&Zn(e)}finally{(Me=te.length)&&(Ue||queueMicrotask)(Tt)}}function $t(e,t,n,r,a,s,l,i,p,c,d){
var f,g,u,m,y,_,w=r.__k||Le,h=t.length;for(p=Yn(n,t,w,p,h),f=0;f<h;f++)(u=n.__k[f])!=null&&(g=~u.__i&&w[u.__i]||Oe,u.__i=
f,_=qe(e,u,g,a,s,l,i,p,c,d),m=u.__e,(g.ref!=u.ref||8&g.__u)&&(g.ref&&ze(g.ref,null,u,g),u.ref&&d.push(u.ref,u.__c||m,u)),
y=y||m,4&u.__u?(p=Ct(u,p,e,!g.__v),g.__e&&(g.__e=null)):typeof u.type=="function"&&_!==void 0?p=_:m&&(p=m.nextSibling),u.
__u&=-21);return n.__e=y,p}function Yn(e,t,n,r,a){var s,l,i,p,c,d,f,g,u,m=n.length,y=m,_=0,w=0,h=e.__k=Array(a);for(s=0;s<
a;s++)(l=t[s])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=h[s]=Pe(null,
l):je(l)?l=h[s]=Pe(B,{children:l}):l.constructor===we&&l.__b?l=h[s]=Pe(l.type,l.props,l.key,l.ref,l.__v):h[s]=l,p=s+_,l.
__=e,l.__b=e.__b+1,i=null,~(c=l.__i=eo(l,n,p,y))&&(y--,(i=n[c])&&(i.__u|=2)),i&&i.__v?(l.__u|=16,c==p-1?_--:c==p+1?_++:c!=
p&&(c>p?_--:_++,w=1)):(~c||(a>m?_--:a<m&&_++),typeof l.type!="function"&&(l.__u|=4))):h[s]=null;if(w){for(d=[],f=[],s=0;s<
a;s++)if((l=h[s])&&16&l.__u){for(_=0,g=d.length;_<g;)d[u=_+g>>1]<l.__i?_=u+1:g=u;d[_]=l.__i,f[s]=_+1}for(_=d.length;s--;)
f[s]&&(f[s]==_?_--:h[s].__u|=4)}if(y)for(s=0;s<m;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=ne(i)),Ve(i,i));return r}function Ct(e,t,n,r){
var a,s,l,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(a=e.__k)for(s=0;s<a.length;s++)a[s]&&(a[s].__=e,t=Ct(
a[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=ne(e))&&!t.parentNode&&(t=null),l=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;
for(l!=i&&(!r&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==
8&&!t.data.startsWith("$s"););return t}function eo(e,t,n,r){var a,s=e.key,l=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&s==null||p&&s==i.key&&l==i.type)return n;
if(r>(p?1:0)){for(a=n-1;a>=0;a--)if((i=t[a])&&!(2&i.__u)&&s==i.key&&l==i.type)return a;for(a=n+1;a<t.length;a++)if((i=t[a])&&
!(2&i.__u)&&s==i.key&&l==i.type)return a}return-1}function bt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}
function Be(e,t,n,r,a){var s,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||bt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||bt(e.style,t,n[t])}else if(t[0]=="o"&&
t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(l=Fe[t]||(Fe[t]=
to(t)),(e.__a||(e.__a={}))[t]=Ke,s=t!=(t=t.replace(kt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(
t,l,s):e.removeEventListener(t,l,s));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function to(e){return function(t){var n=this.
__e;if(n){if(n=n[e],t[Ee]==null)t[Ee]=Ke++;else if(t[Ee]<this.__a[e])return;return n(T.event?T.event(t):t)}}}function qe(e,t,n,r,a,s,l,i,p,c){
var d,f,g,u,m,y,_,w,h,S,C,q,gt,Ne,ie,yt,ee,le,G=t.type;if(t.constructor!==we)return null;128&n.__u&&(p=32&n.__u,d=n.__c.
__z)&&(t.__u|=p,f=s=[],d.nodeType==8?i=Ae(d,s):s.push(d),i=s[0]||i),(d=T.__b)&&d(t);e:if(typeof G=="function"){g=l.length;
try{if(w=t.props,h=(d=G.prototype)&&d.render,S=(d=G.contextType)&&r[d.__c],C=d?S?S.props.value:d.__:r,(u=n.__c)?(t.__c=u,
2&u.__g&&(u.__g|=1)):(h?t.__c=u=new G(w,C):(t.__c=u=new Re(w,C),u.constructor=G,u.render=oo),S&&S.sub(u),u.state||(u.state=
{}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),h&&(u.__s||(u.__s=u.state),G.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ue(
{},u.__s)),ue(u.__s,G.getDerivedStateFromProps(w,u.__s)))),m=u.props,y=u.state,u.__v=t,n.__c){if(w!==m&&h&&!G.getDerivedStateFromProps&&
u.componentWillReceiveProps&&u.componentWillReceiveProps(w,C),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&
u.shouldComponentUpdate(w,u.__s,C)===!1){t.__v!=n.__v&&(u.props=w,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(F){F&&(F.__=t)}),Le.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&l.push(u),i=ne(n);break e}u.componentWillUpdate&&
u.componentWillUpdate(w,u.__s,C),h&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(m,y,_)})}else h&&!G.
getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),h&&u.componentDidMount&&u.__h.push(u.componentDidMount);
u.context=C,u.props=w,u.__P=e,u.__g&=-5,q=T.__r,gt=h?25:0;do u.__g&=-9,q&&q(t),d=u.render(u.props,u.state=u.__s,u.context);while(8&
u.__g&&++gt<25);h&&(Le.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=ue({},r,u.getChildContext())),
h&&n.__c&&u.getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(m,y)),Ne=d&&d.type===B&&d.key==null?d.props.children:d,
w.__P&&(d=i,a=(e=w.__P).namespaceURI,p=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(F){F&&Ve(F,F)}),n.__k=null),
i=n.__k?ne(n,0):null),i=$t(e,je(Ne)?Ne:[Ne],t,n,r,a,s,l,i,p,c),w.__P&&(t.__e=null,i=d),t.__u&=-161,f&&f.some(de),u.__h.length&&
l.push(u),1&u.__g&&(u.__g&=-4)}catch(F){if(l.length=g,t.__v=null,p||s)if(F&&F.then){if(t.__u|=128|p,s){for(~(ee=s.indexOf(
i||void 0))||(ee=s.length);(le=s[ee-1])&&le.nodeType==8;)ee--;for(;ee<s.length;ee++)if(le=s[ee])if(s[ee]=null,ie){if(le==
yt)break}else{if(le.nodeType!=8)break;le.data.startsWith("$s")&&(yt=Ae(ie=le))}}if(!ie){for(;i&&i.nodeType==8&&i.nextSibling;)
i=i.nextSibling;ie=i}(d=Ae(ie=t.__c.__z||(t.__c.__z=ie)))?(t.__e=ie,i=d):t.__e=i,i=i&&i.nextSibling}else s&&s.some(de);else
t.__e=n.__e;t.__k||(t.__k=n.__k||[]),F&&F.then||Nt(t),T.__e(F,t,n)}}else i=t.__e=no(n.__e,t,n,r,a,s,l,p,c,e);return(d=T.
diffed)&&d(t),i}function Ae(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==
8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Nt(e){e&&(e.__c&&
(e.__c.__g|=4),e.__k&&e.__k.some(Nt))}function Bt(e,t,n){for(var r=0;r<n.length;)ze(n[r++],n[r++],n[r++]);T.__c&&T.__c(t,
e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(s){s.call(a)})}catch(s){T.__e(s,a.__v)}})}function no(e,t,n,r,a,s,l,i,p,c){
var d,f,g,u,m,y,_,w,h=n.props||Oe,S=t.props,C=t.type;if(C=="svg"?a="http://www.w3.org/2000/svg":C=="math"?a="http://www.\
w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),s){for(d=0;d<s.length;d++)if((m=s[d])&&(C?m.localName==C:
m.nodeType==3)){e=m,s[d]=null;break}}if(!e){if(w=c.ownerDocument||document,!C)return w.createTextNode(S);e=w.createElementNS(
a,C,S.is?S:c),i&&(T.__m&&T.__m(t,s),i=!1),s=null}if(C){if(c=C=="template"&&e.content||e,s=C=="textarea"&&S.defaultValue!=
null?null:s&&xt.call(c.childNodes),!i&&s)for(h={},d=0;d<e.attributes.length;d++)h[(m=e.attributes[d]).name]=m.value;for(d in h)
m=h[d],d=="dangerouslySetInnerHTML"?g=m:d=="children"||d in S||d=="value"&&"defaultValue"in S||d=="checked"&&"defaultChe\
cked"in S||Be(e,d,null,m,a);for(d in S)m=S[d],d=="children"?u=m:d=="dangerouslySetInnerHTML"?f=m:d=="value"?y=m:d=="chec\
ked"?_=m:i&&typeof m!="function"||h[d]===m||Be(e,d,m,h[d],a);f?(i||g&&(f.__html==g.__html||f.__html==e.innerHTML)||(e.innerHTML=
f.__html),t.__k=[]):(g&&(e.textContent=""),(C=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&Qn.test(C))&&(a=
"http://www.w3.org/1999/xhtml"),$t(c,je(u)?u:[u],t,n,r,a,s,l,s?s[0]:n.__k&&ne(n,0),i,p),s&&s.some(de)),i&&C!="textarea"||
(d="value",C=="progress"&&y==null?e.removeAttribute(d):y==null||y===e[d]&&(C!="progress"||y)||Be(e,d,y,h[d],a),d="checke\
d",_!=null&&_!=e[d]&&Be(e,d,_,h[d],a))}else h===S||i&&e.data==S||(e.data=S);return e}function ze(e,t,n,r){try{typeof e==
"function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
T.__e(a,n)}}function Ve(e,t,n){var r,a,s,l;if(T.unmount&&T.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||ze(r,null,
t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){T.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(l=
0;l<r.length;l++)r[l]&&Ve(r[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(a=Ae(r,s=[]))&&(r==
e.__e&&s.some(de),de(a),de(r)),n||de(e.__e),e.__e=e.__c=e.__=null}function oo(e,t,n){return this.constructor(e,n)}function Et(e,t){
var n,r,a,s;T.__&&T.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Pe(B,{children:[e]}),
a=[],s=[],qe(t,t.__k,r||Oe,Oe,t.namespaceURI,r?null:t.firstChild?xt.call(t.childNodes):null,a,r?r.__e:t.firstChild,n,s),
Bt(a,t.__k,s),t.__k.props.children=null}T={__e:function(e,t,n,r){for(var a,s,l;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((l=(s=a.constructor)&&s.getDerivedStateFromError)&&
a.setState(s.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,r||{}),l=1),l&&8&a.__g)return void(a.
__g|=2)}catch(i){e=i}}throw Me=0,e}},vt=0,Vn=function(e){return e!=null&&e.constructor===we},Re.prototype.setState=function(e,t){
var n=this.__s;n&&n!=this.state||(n=this.__s=ue({},this.state)),typeof e=="function"&&(e=e(ue({},n),this.props)),e&&(ue(
n,e),this.__v&&(t&&this.__k.push(t),_t(this)))},Re.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.
push(e),_t(this))},Re.prototype.render=B,te=[],Me=0,wt=function(e,t){return e.__v.__b-t.__v.__b},Ee=Symbol(),kt=/(PointerCapture)$|Capture$/i,
Ke=0,Fe={},Gn=0;var he,M,Ge,Pt,Qe=Object.is,xe=0,Ht=[],Ze=[],R=T,Rt=R.__b,At=R.__r,Mt=R.diffed,Ot=R.__c,Lt=R.unmount,Dt=R.__;function De(e,t){
R.__h&&R.__h(M,e,xe||t),xe=0;var n=M.__H||(M.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function b(e){
return xe=1,ro(Ut,e)}function ro(e,t,n){var r=De(he++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Ut(void 0,t),function(s){var l=(r.
__N||r.__)[0],i=r.t(l,s);Qe(l,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=M,!M.__f)){M.__f=!0;var a=M.shouldComponentUpdate;
M.shouldComponentUpdate=function(s,l,i){var p=this.__H;if(!p)return!0;var c=!1,d=this.props!=s;if(p.__.some(function(g){
g.__N&&(c=!0,Qe(g.__[0],g.__N[0])||(d=!0))}),a){var f=a.call(this,s,l,i);return c?f||d:f}return!c||d}}return r.__}function P(e,t){
var n=De(he++,3);!R.__s&&et(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,M.__H.__h.push(n))}function Xt(e,t){var n=De(he++,4);!R.__s&&
et(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,M.__h.push(n))}function W(e){return xe=5,Q(function(){return{current:e}},[])}function Q(e,t){var n=De(he++,7);return et(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Wt(e,t){return xe=8,Q(function(){return e},
t)}function ao(){var e;do{for(;e=Ze.shift();)try{ke(e)}catch(n){R.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ht.shift();){var t=e.
__H;if(e.__P&&t)try{t.__h.some(ke),t.__h.some(Ye),t.__h=[]}catch(n){t.__h=[],R.__e(n,e.__v)}}}while(Ze.length)}R.__b=function(e){
M=null,Rt&&Rt(e)},R.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Dt&&Dt(e,t)},R.__r=function(e){At&&At(e),he=
0;var t=(M=e.__c).__H;t&&(Ge==M?M.__h=[]:(t.__h.some(ke),t.__h.some(Ye),he=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=
n.__N),n.u=n.__N=void 0})),Ge=M},R.diffed=function(e){Mt&&Mt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Jt(Ht.push(t)),
t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ge=M=null},R.__c=function(e,t){t.some(function(n){try{n.__h.some(ke),n.__h=
n.__h.filter(function(r){return!r.__||Ye(r)})}catch(r){n.__h=[function(){throw r}]}}),Ot&&Ot(e,t)},R.unmount=function(e){
Lt&&Lt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||
!n.__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,Jt(Ze.push(a))}else ke(a)}catch(s){t=s}}),r.__H=void 0,t&&R.__e(t,r.__v))};var It=typeof requestAnimationFrame==
"function";function so(e){var t,n=function(){clearTimeout(r),It&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);
It&&(t=requestAnimationFrame(n))}function Jt(e){e!=1&&Pt==R.requestAnimationFrame||((Pt=R.requestAnimationFrame)||so)(ao)}
function ke(e){var t=M,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),M=t}function Ye(e){var t=M;e.__c=e.__(),M=t}function et(e,t){
return!e||e.length!=t.length||t.some(function(n,r){return!Qe(n,e[r])})}function Ut(e,t){return typeof t=="function"?t(e):
t}var Z=class{#e;#t=new Set;constructor(t){this.#e=t}get value(){return this.#e}set(t){this.#e=t;for(let n of this.#t)n(t)}watch(t){
return this.#t.add(t),()=>{this.#t.delete(t)}}};function ce(e){let[t,n]=b(e.value);return P(()=>(n(e.value),e.watch(n)),
[e]),t}var X=class extends Error{status;body;constructor(t,n){super(typeof n.error=="string"?n.error:`the server answered ${t}`),
this.status=t,this.body=n}},nt=class extends Error{constructor(){super("the server does not answer")}},{prefix:io="",server:lo=""}=document.
body.dataset,Ie=lo,K=new Z({kind:"unknown"}),pe=new Z(new Map);function rt(e){return`${io}${e}`}async function U(e,t={}){
let n=await ge(e,t);if(!(n instanceof X))return n;let r=n.status===401,a=n.status===403&&n.message.includes("x-agentrt-c\
srf");if(!r&&!a)throw n;if(r?await ye("The session is over. Sign in again."):await Kt()){let s=await ge(e,t);if(!(s instanceof
X))return s;throw s}throw n}async function ge(e,t){let{method:n="GET",body:r,headers:a,signal:s}=t,l=K.value,p=n!=="GET"&&
l.kind==="in"?{"x-agentrt-csrf":l.session.csrf_token}:{},c=r===void 0?{}:{"content-type":"application/json"},d,f;try{d=await fetch(
rt(e),{method:n,headers:{...c,...p,...a},credentials:"same-origin",cache:"no-store",redirect:"error",...r===void 0?{}:{body:JSON.
stringify(r)},...s===void 0?{}:{signal:s}}),f=await d.text()}catch(u){throw s?.aborted===!0?u:(ot(e,"no answer"),new nt)}
let g=uo(f);return ot(e,d.status>=500?`answers ${d.status}`:void 0),d.ok?{status:d.status,body:g}:new X(d.status,g??{})}
function uo(e){try{return e===""?void 0:JSON.parse(e)}catch{return{error:e.slice(0,200)}}}function ot(e,t){let n=e.replace(
/\?.*$/s,""),{value:r}=pe;if(r.get(n)===t)return;let a=new Map(r);t===void 0?a.delete(n):a.set(n,t),pe.set(a)}function Je(e){
ot(e,void 0)}var tt,Ft=!1;async function ye(e=""){return tt??=co(e).finally(()=>{tt=void 0}),await tt}async function Kt(){
let e=await ge("/console/session",{});if(e instanceof X)return!1;let{needs_key:t,session:n}=e.body;return Ft=t,n===null?
!1:(K.set({kind:"in",session:n}),!0)}async function co(e){if(K.value.kind==="in")await ge("/console/session",{method:"DE\
LETE"});else if(await Kt())return!0;return Ft?(K.set({kind:"out",notice:e}),!1):await at(e)}async function at(e){let t=await st(
{});return t===void 0?!0:(K.set({kind:"out",notice:t.status===401?e:t.message}),!1)}async function st(e){let t=await ge(
"/console/session",{method:"POST",headers:e});if(t instanceof X)return t;let{session:n}=t.body;if(n===null)return new X(
401,{error:"no session came"});K.set({kind:"in",session:n})}async function jt(){try{await ge("/console/session",{method:"\
DELETE"})}catch{}K.set({kind:"out",notice:"You are signed out.",isLeft:!0})}function oe(e){let{value:t}=K;return t.kind===
"in"&&(t.session.scopes?.includes(e)??!0)}function L(e){let t=Math.abs(e);return t<.01?`${Math.round(t*1e4)/10} ms`:t<1?`${Math.round(t*1e3)} ms`:t<60?`${t<10?Math.
round(t*10)/10:Math.round(t)} s`:t<3600?`${Math.round(t/60)} min`:t<86400?`${Math.round(t/360)/10} h`:`${Math.round(t/8640)/
10} d`}function fe(e){let t=Date.now()/1e3-e;return t<1?"now":`${L(t)} ago`}function Se(e){let t=e-Date.now()/1e3;return t<=
0?"over":`in ${L(t)}`}function Y(e){let t=new Date(e*1e3);if(Number.isNaN(t.getTime()))return String(e);let n=(s,l=2)=>String(
s).padStart(l,"0"),r=`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())}`,a=`${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`;return`${r} ${a}.${n(t.getMilliseconds(),3)}`}function _e(e){return e===0?"$0":e<.01?`$${e.toFixed(
5)}`:`$${e.toFixed(2)}`}function I(e){return String(Math.round(e)).replaceAll(/\B(?=(\d{3})+$)/g," ")}function V(e){return JSON.
stringify(e,null,2)??""}function z(e){return typeof e=="string"?e:JSON.stringify(e)??""}function be(e){return Object.entries(
e).map(([t,n])=>`${t}=${z(n)}`).join(" ")}function N(e,t,n=`${t}s`){return`${I(e)} ${e===1?t:n}`}var po=50,re=new Map,qt;K.watch(e=>{if(e.kind==="unknown")return;(e.kind==="in"?e.session.principal===qt:!e.isLeft)||re.
clear(),e.kind==="in"&&(qt=e.session.principal)});function ae(e,t){let[n,r]=b(re.get(e)??t);return[n,s=>{r(s),re.delete(
e),s!==t&&re.set(e,s);for(let l of re.keys()){if(re.size<=po)break;re.delete(l)}},()=>{re.delete(e)}]}var fo=Symbol.for("pv"),mo=0;function o(e,t,n,r,a,s){t||(t={});var l,i,p=t;if("ref"in p&&typeof e!="function")for(i in p={},t)i=="ref"?l=t[i]:p[i]=t[i];
var c={type:e,props:p,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:fo,__v:--mo,__i:-1,__u:0};return(a||
s)&&(c.__source=a,c.__self=s),T.vnode&&T.vnode(c),c}var ho={RUNNING:["●","good"],INITIALIZING:["◔","wait"],SUSPENDED:["‖","wait"],STOPPING:["◑","wait"],STOPPED:["○",
"dull"],CRASHED:["✖","bad"],pending:["◔","wait"],approved:["✔","good"],denied:["✖","bad"],ok:["✔","good"],error:[
"✖","bad"],expired:["○","dull"]};function j(e){let{status:t,isBelow:n=!1}=e,[r,a]=ho[t]??["◌","dull"];return o("sp\
an",{class:`status ${a}`,children:[o("span",{class:"mark","aria-hidden":"true",children:r}),t,n?" below":""]})}function E({
at:e}){return o("time",{title:Y(e),children:fe(e)})}function k(e){return o("section",{class:e.isWide===!0?"panel wide":"\
panel",children:[o("header",{children:[o("h2",{children:e.title}),e.extra]}),e.children]})}function J(e){return o("dl",{
class:"facts",children:e.facts.map(([t,n])=>o("div",{children:[o("dt",{children:t}),o("dd",{children:n})]},t))})}function H({
value:e,label:t}){return o("pre",{class:"code",tabIndex:0,role:"region","aria-label":t,children:V(e)})}function v({children:e}){
return o("p",{class:"nothing",children:e})}function A({refusal:e}){return e===void 0?null:o("p",{class:"refused",role:"a\
lert",children:e.message})}function Te({unread:e}){let t=new Set(e.map(({source:n,reason:r})=>`${n} cannot be read: ${r}`));
return t.size===0?null:o("p",{class:"refused",role:"alert",children:[...t].join(`
`)})}function O(e){return o("div",{class:"scroll",tabIndex:0,role:"region","aria-label":e.label,children:o("table",{children:[
o("thead",{children:o("tr",{children:e.columns.map(({name:t,isNumber:n})=>o("th",{scope:"col",class:n===!0?"number":"",children:t},
t))})}),o("tbody",{children:e.rows.map((t,n)=>o("tr",{children:e.columns.map(({name:r,show:a,isNumber:s})=>o("td",{"data\
-name":r,class:s===!0?"number":"",children:a(t)},r))},e.keyOf(t,n)))})]})})}function se({question:e,onClose:t}){let n=W(
null),[r,a,s]=ae(`question ${e.title}`,""),[l,i]=b(!1),[p,c]=b("");P(()=>{let y=document.activeElement;return n.current?.
showModal(),()=>{y instanceof HTMLElement&&y.focus()}},[]);let d=async()=>{i(!0),c("");try{await e.act(r.trim()),s(),t()}catch(y){
c(y instanceof Error?y.message:String(y)),i(!1)}},{title:f,verb:g,asksFor:u,isDangerous:m=!1}=e;return o("dialog",{ref:n,
onClose:t,"aria-labelledby":"question",children:o("form",{onSubmit:y=>{y.preventDefault(),l||d()},children:[o("h2",{id:"\
question",children:f}),o("div",{class:"text",children:e.text}),u===void 0?null:o("label",{children:[u,o("input",{value:r,
onInput:y=>a(y.currentTarget.value)})]}),p===""?null:o("p",{class:"refused",role:"alert",children:p}),o("div",{class:"bu\
ttons",children:[o("button",{type:"button",onClick:t,children:"Cancel"}),o("button",{class:m?"danger":"primary",disabled:l,
children:g})]})]})})}function D({children:e}){let t=W(null);return P(()=>t.current?.focus({preventScroll:!0}),[]),o("h1",
{ref:t,tabIndex:-1,children:e})}function zt(e){let{agent:t}=e,[n,r]=b();if(!oe("operate"))return null;let a=(i,p)=>async()=>{await U(`/agents/${encodeURIComponent(
t.name)}/${i}`,{method:"POST",body:p}),e.onDone()},s=i=>async p=>await a(i,p===""?{}:{reason:p})(),l=[{title:`Suspend ${t.
name}?`,text:o("p",{children:"It finishes the message at hand and then waits. What comes meanwhile is kept."}),verb:"Sus\
pend",asksFor:"Reason",act:s("suspend"),isThere:t.suspension===null},{title:`Drain ${t.name}?`,text:o("p",{children:"It \
handles what waits, takes nothing new, and is suspended then."}),verb:"Drain",asksFor:"Reason",act:s("drain"),isThere:t.
suspension===null&&t.draining===void 0},{title:`Resume ${t.name}?`,text:o("p",{children:"It goes on with the messages th\
at wait."}),verb:"Resume",act:a("resume",{}),isThere:t.suspension!==null||t.draining!==void 0},{title:`Restart ${t.name}\
?`,text:o("p",{children:["A new object takes its place."," ",t.at_hand.length===0?"No message is":`${t.at_hand.length} a\
t hand get time to end, and are lost then;`," ",t.mailbox.depth," waiting are kept."]}),verb:"Restart",isDangerous:!0,asksFor:"\
Reason",act:s("restart"),isThere:!0}];return o("div",{class:"actions",children:[l.filter(({isThere:i})=>i).map(i=>o("but\
ton",{class:i.isDangerous===!0?"danger":"",onClick:()=>r(i),children:i.verb},i.verb)),n===void 0?null:o(se,{question:n,onClose:()=>r(
void 0)})]})}var[go,yo]=[240,20],_o=20,ve=new Map;function Vt(e,t){let n=ve.get(e)??[],r=t?.agents.find(l=>l.name===e);if(t===void 0||
r===void 0||t.timestamp<=(n.at(-1)?.at??0))return n;let a={at:t.timestamp,handled:r.messages_handled,errors:r.errors,latencySumMs:r.
latency_sum_ms,latencyCount:r.latency_count},s=[...n,a].slice(-go);ve.delete(e),ve.set(e,s);for(let l of ve.keys()){if(ve.
size<=yo)break;ve.delete(l)}return s}function it(e,t){return Qt(e,(n,r)=>{let a=r[t]-n[t];return a<0?null:a/(r.at-n.at)})}
function Gt(e){return Qt(e,(t,n)=>{let r=n.latencyCount-t.latencyCount;return r<=0?null:Math.max(0,n.latencySumMs-t.latencySumMs)/
r})}function Qt(e,t){return e.slice(1).map((n,r)=>{let a=e[r]??n,s=n.at-a.at>_o;return{at:n.at,value:s?null:t(a,n)}})}function Zt(e,{
width:t,height:n,most:r}){let a=e[0]?.at??0,s=Math.max(1,(e.at(-1)?.at??a)-a),l="",i=!1;for(let{at:p,value:c}of e){if(c===
null){i=!1;continue}let d=(p-a)/s*t,f=n-(r===0?0:c/r)*n,g=`${d.toFixed(1)} ${f.toFixed(1)}`;l+=i?`L${g}`:`M${g}h0.1`,i=!0}
return l}function nn(e){let t=Vt(e.name,e.body),n=(t.at(-1)?.at??0)-(t[0]?.at??0);return o(k,{title:"Lately",extra:o("span",{class:"\
dull",children:n===0?"":`the last ${L(n)}`}),children:t.length<2?o(v,{children:e.body===void 0?"…":"Counting from now \
on."}):o("div",{class:"charts",children:[o(lt,{title:"Messages",points:it(t,"handled"),show:Yt}),o(lt,{title:"Errors",points:it(
t,"errors"),show:Yt,isBad:!0}),o(lt,{title:"Mean time",points:Gt(t),show:bo})]})})}function Yt(e){return e===0?"0 /s":e<
10?`${e.toPrecision(2)} /s`:`${Math.round(e)} /s`}function bo(e){return L(e/1e3)}var[en,tn]=[240,48];function lt(e){let{
title:t,points:n,show:r,isBad:a=!1}=e,s=n.flatMap(({value:d})=>d??[]),l=Math.max(0,...s),i=s.at(-1),p=i===void 0?"none":
r(i),c=Zt(n,{width:en,height:tn,most:l});return o("figure",{class:"chart",children:[o("figcaption",{children:[t," ",o("b",
{children:p})," ",l===0?null:o("span",{class:"dull",children:["at most ",r(l)]})]}),o("svg",{role:"img","aria-label":`${t}\
: now ${p}, at most ${r(l)}`,viewBox:`0 -2 ${en} ${tn+4}`,preserveAspectRatio:"none",children:o("path",{class:a?"curve b\
ad":"curve",d:c})})]})}function dt({counted:e}){return o(J,{facts:[["Handled",I(e.messages_handled)],["Mean time",`${Math.round(e.avg_latency_ms*
10)/10} ms`],["Errors",I(e.errors)],["Tokens in / out",`${I(e.tokens_in)} / ${I(e.tokens_out)}`],["Cost",_e(e.cost_usd)]]})}
function rn({counters:e}){let t=Object.entries(e.models);return o(B,{children:[o(dt,{counted:e}),t.length===0?null:o(O,{
label:"Use of models",rows:t,keyOf:([n])=>n,columns:[{name:"Model",show:([n])=>n},{name:"Calls",show:([,n])=>I(n.calls),
isNumber:!0},{name:"Tokens",show:([,n])=>I(n.tokens_in+n.tokens_out),isNumber:!0},{name:"Cost",show:([,n])=>`${_e(n.cost_usd)}${n.
unpriced_calls>0?`, ${I(n.unpriced_calls)} unpriced`:""}`,isNumber:!0}]})]})}function an(e){let{budgets:t}=e;return t.length===
0?null:o("ul",{class:"budgets","aria-label":"Budgets",children:t.flatMap(n=>[o(on,{budget:n,unit:"usd",of:e.of},`${n.name}\
 usd`),o(on,{budget:n,unit:"tokens",of:e.of},`${n.name} tokens`)])})}function on(e){let{budget:t,unit:n}=e,r=n==="usd"?t.
limit_usd:t.limit_tokens;if(r===null)return null;let a=n==="usd"?t.spent_usd+t.reserved_usd:t.spent_tokens+t.reserved_tokens,
s=n==="usd"?_e:d=>`${I(d)} tokens`,l=r===0?1:Math.min(1,a/r),i=t.frees_at===null?"":`, free again ${Se(t.frees_at)}`,p=t.
name===e.of?"":` for all of ${t.name}`,c=`${s(a)} of ${s(r)} per ${t.per}${p}${i}`;return o("li",{children:[o("span",{children:c}),
o("meter",{min:0,max:1,high:.9,value:l,"aria-label":c})]})}var vo=20,wo=3e4;function $(e,t,n){let[r,a]=b({data:void 0,refusal:void 0}),s=W(()=>{}),l=W(n);l.current=n,P(()=>{if(e===
void 0)return;let c=new ut({path:e,everyMs:t,next:d=>l.current?.(d)});return c.onAnswer=d=>a({data:d,refusal:void 0,of:e}),
c.onRefusal=d=>a(f=>({data:f.of===e&&d.status!==404?f.data:void 0,refusal:d,of:e})),s.current=()=>c.askNow(),c.askNow(),
()=>c.end()},[e,t]);let i=Wt(()=>s.current(),[]),p=r.of===e;return{data:p?r.data:void 0,refusal:p?r.refusal:void 0,refresh:i}}
var ut=class{#e;#t;#i;#n=new AbortController;#o;#r=!1;#a=!1;#s;onAnswer=()=>{};onRefusal=()=>{};constructor(t){this.#e=t.
path,this.#t=t.everyMs,this.#i=t.next,document.addEventListener("visibilitychange",()=>this.#d(),{signal:this.#n.signal})}askNow(){
if(this.#r){this.#a=!0;return}clearTimeout(this.#o),this.#l()}end(){this.#n.abort(),clearTimeout(this.#o),Je(this.#e)}#d(){
document.visibilityState==="visible"&&this.askNow()}async#l(){let t=performance.now();if(this.#r=!0,await this.#u(),this.#r=
!1,this.#n.signal.aborted)return;let n=performance.now()-t,r=Math.max(this.#t,Math.min(wo,vo*n)),a=this.#a;this.#a=!1,(document.
visibilityState==="visible"||a)&&(this.#o=setTimeout(()=>{this.#l()},a?0:r))}async#u(){let{signal:t}=this.#n,n=(this.#s===
void 0?void 0:this.#i(this.#s))??this.#e;try{let{status:r,body:a}=await U(n,{signal:t});if(t.aborted||r===204)return;this.#s=
a,this.onAnswer(a)}catch(r){!t.aborted&&r instanceof X&&this.onRefusal(r)}}};var ct=new Z(sn());addEventListener("hashchange",()=>ct.set(sn()));function sn(){let[e="",t=""]=location.hash.replace(/^#\/?/,
"").split("?",2),[n="",r=""]=e.split("/",2);return{page:n===""?"tree":n,about:ko(r),query:new URLSearchParams(t)}}function ko(e){
try{return decodeURIComponent(e)}catch{return e}}function x(e,t="",n={}){let r=t===""?`#/${e}`:`#/${e}/${encodeURIComponent(
t)}`,a=Object.entries(n).filter(([,s])=>s!=="");return a.length===0?r:`${r}?${new URLSearchParams(a)}`}var[ln,xo]=[100,1e3],So=["RUNNING","SUSPENDED","CRASHED","INITIALIZING","STOPPED"];function dn(e,{limit:t,text:n,status:r}){
let a=new URLSearchParams({limit:String(t)});return n!==""&&a.set("contains",n),r!==""&&a.set("status",r),`/agents/${encodeURIComponent(
e)}/keys?${a}`}function un({name:e}){let[t,n]=b(""),[r,a]=b(""),[s,l]=b(ln),{data:i,refusal:p}=$(dn(e,{limit:s,text:t,status:r}),
3e3),c=i?.next!==void 0&&i.next!==null;return o(k,{title:"Keys",isWide:!0,children:[o("div",{class:"line",children:[o("l\
abel",{children:["Keys that contain",o("input",{type:"search",value:t,onInput:d=>n(d.currentTarget.value)})]}),o("label",
{children:["Of status",o("select",{value:r,onChange:d=>a(d.currentTarget.value),children:[o("option",{value:"",children:"\
any status"}),So.map(d=>o("option",{children:d},d))]})]})]}),o(A,{refusal:p}),o(Te,{unread:i?.unread??[]}),i===void 0||i.
keys.length===0?o(v,{children:i===void 0?"…":"No key is there that fits."}):o(To,{keys:i.keys}),c?o("p",{class:"line",
children:[o("span",{class:"dull",children:[N(i.keys.length,"key")," are shown, and there are more."]}),s<xo?o("button",{
onClick:()=>l(s+ln),children:"Show more"}):null]}):null]})}function To({keys:e}){return o(O,{label:"Keys",rows:e,keyOf:({
name:t})=>t,columns:[{name:"Key",show:({key:t,name:n})=>o("a",{href:x("agents",n),children:t})},{name:"Status",show:({status:t})=>o(
j,{status:t})},{name:"Waiting",show:({mailbox_depth:t})=>t,isNumber:!0},{name:"Restarts",show:({restart_count:t})=>t,isNumber:!0},
{name:"Up",show:({uptime_seconds:t})=>L(t),isNumber:!0}]})}function cn(e){let{data:t}=$(dn(e.name,e),3e3);return P(()=>{
t!==void 0&&e.onKeys(e.name,t)},[t]),null}function pn({lines:e}){return e===void 0||e.length===0?o(v,{children:e===void 0?"…":"No line yet."}):o("ol",{class:"lo\
g",tabIndex:0,"aria-label":"Log lines, latest first",children:e.toReversed().map((t,n)=>o($o,{line:t},e.length-n))})}function $o({
line:e}){let{agent:t,time:n,level:r,message:a,traceId:s,spanId:l,...i}=e,p=typeof s=="string"?s:"";return o("li",{class:z(
r),children:[o("time",{children:z(n).replace("T"," ").replace("Z","")})," ",o("b",{children:z(r)})," ",z(a)," ",o("span",
{class:"fields",children:be(i)})," ",p===""?null:o("a",{href:x("traces",p),children:["trace ",p.slice(0,8)]})]})}function fn({name:e}){let t=`/agents/${encodeURIComponent(e)}`,n=$(t,1500),{data:r,refusal:a}=n,s=r!==void 0&&r.kind!=="\
key",l=$(s?`/overview?agent=${encodeURIComponent(e)}`:void 0,2e3);return o("main",{class:"page",id:"main",children:[o("d\
iv",{class:"bar",children:[o("p",{class:"crumbs",children:[o("a",{href:x("tree"),children:"Tree"})," ",o("span",{"aria-h\
idden":"true",children:"/"})," ",r?.above.map(i=>o("span",{children:[e.startsWith(`${i}/`)?o("a",{href:x("agents",i),children:i}):
i," ",o("span",{"aria-hidden":"true",children:"/"})," "]},i))]}),o(D,{children:e}),r===void 0?null:o(j,{status:r.status}),
r===void 0?null:o(zt,{agent:r,onDone:n.refresh})]}),o(A,{refusal:a}),r===void 0?a===void 0?o(v,{children:"Loading…"}):
null:o("div",{class:"panels",children:[o("div",{class:"column",children:[o(Bo,{agent:r}),o(Co,{agent:r}),o(Eo,{agent:r}),
o(Ro,{agent:r,row:l.data?.agents[0]})]}),o("div",{class:"column",children:[r.kind==="key"?null:o(nn,{name:e,body:l.data}),
r.kind==="keyed"?o(un,{name:e}):null,o(Po,{base:t})]}),o("div",{class:"column",children:[o(Ao,{base:t}),o(Mo,{base:t})]}),
o(Oo,{base:t})]})]})}function Co({agent:e}){let{mailbox:t,at_hand:n,waits_for:r,listeners:a=[],placement:s={}}=e,l=[["Cl\
ass",e.class===null?e.kind:`${e.class} (${e.kind})`],["Process",e.process_id],["Up",L(e.uptime_seconds)],["Restarts",e.restart_count],
["Waiting",t.oldest_timestamp===null?t.depth:`${t.depth}, the oldest for ${fe(t.oldest_timestamp).replace(" ago","")}`],
["Model turns",e.session_turn_count]];e.capabilities.length>0&&l.push(["Capabilities",e.capabilities.join(", ")]),r!==void 0&&
l.push(["Waits for",o(B,{children:[`the ${r.kind} ${r.name}, since `,o(E,{at:r.since})]})]),e.waits_for_state===!0&&l.push(
["Waits for","the state store"]);for(let{protocol:i,host:p,port:c}of a)l.push(["Listens",`${i} ${p}:${c}`]);for(let[i,p]of Object.
entries(s))l.push([`On ${i}`,p]);return o(k,{title:"Now",extra:o("a",{href:x("traces","",{agent:e.name}),children:"Trace\
s"}),children:[o(J,{facts:l}),n.length===0?o(v,{children:"No message is at hand."}):o(O,{label:"Messages at hand",rows:n,
keyOf:({id:i})=>i,columns:[{name:"At hand",show:({type:i})=>i},{name:"From",show:({sender:i})=>o(mn,{name:i})},{name:"Si\
nce",show:({since:i})=>o(E,{at:i})},{name:"Attempt",show:({attempt:i})=>i+1,isNumber:!0},{name:"Trace",show:({trace_id:i})=>o(
No,{id:i})}]})]})}function mn({name:e}){return e===""?o("span",{class:"dull",children:"outside"}):o("a",{href:x("agents",
e),children:e})}function No({id:e}){return e===""?o(B,{}):o("a",{href:x("traces",e),children:e.slice(0,8)})}function Bo({
agent:e}){let{suspension:t,draining:n,approvals:r=[]}=e;if(t===null&&n===void 0)return null;let a=[];n!==void 0&&a.push(
["Draining",n.reason],["By",n.initiated_by],["Since",o(E,{at:n.since})]),t!==null&&a.push([t.halted===!0?"Halted":"Reaso\
n",t.reason],["Category",t.category],["By",t.initiated_by??"unknown"],["Since",o(E,{at:t.since})],["Survives a restart",
t.durable?"yes":"no"]);for(let s of r)a.push(["Waits for",o("a",{href:x("approvals",s),children:["approval ",s]})]);return o(
k,{title:t===null?"Draining":"Suspended",children:o(J,{facts:a})})}function Eo({agent:e}){let{last_crash:t}=e;return t===
null?null:o(k,{title:"Last crash",extra:o("a",{href:x("crashes",t.id),children:"Details"}),children:o(J,{facts:[["When",
o(E,{at:t.timestamp})],["Reason",t.reason],["Message",t.message],["At",t.at??"unknown"]]})})}function Po({base:e}){let{data:t,
refusal:n}=$(`${e}/mailbox?limit=50`,2e3),r=t?.depth??0;return o(k,{title:"Mailbox",extra:o("span",{class:"dull",children:r===
0?"":`${r} wait`}),children:[o(A,{refusal:n}),t===void 0||t.messages.length===0?o(v,{children:t===void 0?"…":"No messa\
ge waits."}):o(O,{label:"Messages that wait",rows:t.messages,keyOf:({id:a})=>a,columns:[{name:"Type",show:({type:a})=>a},
{name:"From",show:({sender:a})=>o(mn,{name:a})},{name:"Sent",show:({timestamp:a})=>o(E,{at:a})},{name:"Priority",show:({
priority:a})=>a,isNumber:!0}]})]})}function Ro(e){let{name:t,above:n}=e.agent,{data:r}=$(`/snapshot?agent=${encodeURIComponent(
t)}`,3e3),a=r?.agents[t],s=new Set([t,...n]);return o(k,{title:"Work, cost and budget",children:[a!==void 0?o(rn,{counters:a}):
e.row!==void 0?o(dt,{counted:e.row}):o(v,{children:"Nothing is counted yet."}),o(an,{budgets:(r?.budgets??[]).filter(l=>s.
has(l.name)),of:t})]})}function Ao({base:e}){let{data:t,refusal:n}=$(`${e}/state`,4e3);return o(k,{title:"State",extra:o(
"span",{class:"dull",children:"without secrets"}),children:[o(A,{refusal:n}),t===void 0?null:t.state===null?o(v,{children:"\
There is no object of it."}):o(H,{value:t.state,label:"State"})]})}function Mo({base:e}){let{data:t,refusal:n}=$(`${e}/h\
istory`,3e3),r=(t?.history??[]).toReversed();return o(k,{title:"History",children:[o(A,{refusal:n}),r.length===0?o(v,{children:t===
void 0?"…":"Nothing yet."}):o("ol",{class:"history",tabIndex:0,"aria-label":"History, latest first",children:r.map(({event:a,
timestamp:s,...l},i)=>o("li",{children:[o(E,{at:Number(s)})," ",o("b",{children:z(a)})," ",o("span",{class:"fields",children:be(
l)})]},`${z(s)}-${i}`))})]})}function Oo({base:e}){let{data:t,refusal:n}=$(`${e}/logs?limit=200`,2e3);return o(k,{title:"\
Logs",isWide:!0,children:[o(A,{refusal:n}),o(pn,{lines:t?.lines})]})}function gn(e,t){let n=e.split(`
`),r=t.split(`
`);if(n.length*r.length>4e6)return[...n.map(hn),...r.map(p=>({kind:"new",text:p}))];let a=Lo(n,r),s=[],l=0,i=0;for(;l<n.
length||i<r.length;){let p=n[l],c=r[i];p!==void 0&&p===c?(s.push({kind:"same",text:p}),l+=1,i+=1):c===void 0||p!==void 0&&
$e(a,l+1,i)>=$e(a,l,i+1)?(s.push(hn(p??"")),l+=1):(s.push({kind:"new",text:c}),i+=1)}return s}function hn(e){return{kind:"\
gone",text:e}}function $e(e,t,n){return e[t]?.[n]??0}function Lo(e,t){let n=Array.from({length:e.length+1},()=>new Uint16Array(
t.length+1));for(let r=e.length-1;r>=0;r-=1)for(let a=t.length-1;a>=0;a-=1){let s=n[r];s!==void 0&&(s[a]=e[r]===t[a]?$e(
n,r+1,a+1)+1:Math.max($e(n,r+1,a),$e(n,r,a+1)))}return n}var Do={same:" ",gone:"-",new:"+"};function me(e){return o("pre",{class:"code diff",tabIndex:0,role:"region","aria-label":e.
label??"What was edited",children:gn(V(e.before),V(e.after)).map(({kind:t,text:n},r)=>o("span",{class:t,children:`${Do[t]}\
 ${n}
`},r))})}var Io=["pending","approved","denied","expired"];function yn({id:e}){let[t,n]=b("pending"),r=`/approvals?limit=200${t===
""?"":`&status=${t}`}`,{data:a,refusal:s,refresh:l}=$(r,2e3);return o("main",{class:"page",id:"main",children:[o("div",{
class:"bar",children:[o(D,{children:"Approvals"}),o("select",{"aria-label":"Approvals of status",value:t,onChange:i=>n(i.
currentTarget.value),children:[Io.map(i=>o("option",{children:i},i)),o("option",{value:"",children:"any status"})]}),o("\
span",{class:"dull",role:"status",children:a===void 0?"":`${N(a.approvals.length,"approval")}${a.next===null?"":" and mo\
re"}`})]}),o(A,{refusal:s}),a?.groups_unread===void 0?null:o("p",{class:"refused",role:"alert",children:["Some are missi\
ng: the states of process group ",a.groups_unread.join(", ")," cannot be read."]}),o("div",{class:"sides",children:[o(Jo,
{approvals:a?.approvals,current:e}),e===""?o(v,{children:"Choose one to see what would be done."}):o(Ho,{id:e,onDone:l},
e)]})]})}function Jo(e){return e.approvals===void 0?o(v,{children:"Loading…"}):e.approvals.length===0?o(v,{children:"N\
othing is to be decided."}):o("ul",{class:"list","aria-label":"Approvals",children:e.approvals.map(({id:t,agent:n,kind:r,
status:a,created_at:s,expires_at:l})=>o("li",{children:o("a",{href:x("approvals",t),"aria-current":t===e.current?"true":
void 0,children:[o("b",{children:r})," ",o(j,{status:a}),o("span",{class:"dull",children:[n,", ",o(E,{at:s}),a==="pendin\
g"?`, ends ${Se(l)}`:""]})]})},t))})}function Ho(e){let t=`/approvals/${encodeURIComponent(e.id)}`,{data:n,refusal:r,refresh:a}=$(
t,2e3);if(n===void 0)return r===void 0?o(v,{children:"Loading…"}):o(A,{refusal:r});let s=()=>{a(),e.onDone()},{edited_payload:l}=n;
return o("div",{class:"stack",children:[o(k,{title:n.kind,extra:o(j,{status:n.status}),children:[o(J,{facts:[["Agent",o(
"a",{href:x("agents",n.agent),children:n.agent})],["Asked",o(E,{at:n.created_at})],[n.status==="pending"?"Ends":"Would h\
ave ended",n.status==="pending"?Se(n.expires_at):o(E,{at:n.expires_at})],["Id",n.id],...n.decided_at===null?[]:[["Decide\
d",o(E,{at:n.decided_at})],["By",n.principal??"nobody"],["The agent has got it",n.delivered?"yes":"not yet"]],...n.note===
null?[]:[["Note",n.note]]]}),o("h3",{children:"Payload"}),l===null?o(H,{value:n.payload,label:"Payload"}):o(me,{before:n.
payload,after:l})]}),n.status==="pending"&&oe("approve")?o(Wo,{approval:n,onDone:s}):null]})}function Xo(e,t){if(e!==V(t))
try{let n=JSON.parse(e);return typeof n!="object"||n===null||Array.isArray(n)?"The payload must be an object.":V(n)===V(
t)?void 0:n}catch(n){return n instanceof Error?n.message:String(n)}}function Wo(e){let{approval:t}=e,n=V(t.payload),[r,a,
s]=ae(`payload of ${t.id}`,n),[l,i,p]=ae(`note on ${t.id}`,""),[c,d]=b(),f=Xo(r,t.payload),g=(w,h)=>async()=>{await U(`/\
approvals/${encodeURIComponent(t.id)}/${w}`,{method:"POST",body:h}),s(),p(),e.onDone()},u=l.trim()===""?{}:{note:l.trim()},
m=typeof f=="object",y={title:`Approve ${t.kind} of ${t.agent}?`,text:m?o(me,{before:t.payload,after:f}):o(H,{value:t.payload,
label:"Payload"}),verb:m?"Approve as edited":"Approve",act:g("approve",{...u,...m?{payload:f}:{}})},_={title:`Deny ${t.kind}\
 of ${t.agent}?`,text:o("p",{children:"The agent gets the denial, and can ask again."}),verb:"Deny",isDangerous:!0,act:g(
"deny",u)};return o(k,{title:"Decide",children:[t.schema===null?o("p",{class:"dull",children:"This payload cannot be edi\
ted."}):o(B,{children:[o("label",{children:["Payload to approve",o("textarea",{spellcheck:!1,value:r,onInput:w=>a(w.currentTarget.
value)})]}),typeof f=="string"?o("p",{class:"refused",children:f}):null,m?o(me,{before:t.payload,after:f}):null,o("detai\
ls",{children:[o("summary",{children:"What it has to fit"}),o(H,{value:t.schema,label:"Schema"})]})]}),o("label",{children:[
"Note, for the audit log",o("input",{maxLength:4096,value:l,onInput:w=>i(w.currentTarget.value)})]}),o("div",{class:"but\
tons",children:[o("button",{class:"danger",onClick:()=>d(_),children:"Deny"}),o("button",{class:"primary",disabled:typeof f==
"string",onClick:()=>d(y),children:y.verb})]}),c===void 0?null:o(se,{question:c,onClose:()=>d(void 0)})]})}function bn({record:e}){let{messages:t,answers:n,source:r,versions:a}=e;return o(B,{children:[o(Fo,{record:e}),o(Ko,{record:e}),
r.map(s=>o(jo,{place:s},`${s.file}:${s.line}:${s.column}`)),o(k,{title:"Handled since the checkpoint",isWide:!0,children:t.
length===0?o(v,{children:"Nothing was."}):o(O,{label:"Messages that were handled since the checkpoint",rows:t,keyOf:({id:s,
sequence:l})=>`${l} ${s}`,columns:[{name:"No.",show:({sequence:s})=>s,isNumber:!0},{name:"Type",show:({type:s,verb:l})=>`${s}\
 (${l})`},{name:"From",show:({sender:s})=>s===""?"outside":s},{name:"Payload",show:({payload:s,id:l})=>o(pt,{value:s,label:`\
Payload of ${l}`})}]})}),o(k,{title:"Answers since then",isWide:!0,children:n.length===0?o(v,{children:"No model, tool o\
r agent answered."}):o(O,{label:"Answers",rows:n,keyOf:(s,l)=>String(l),columns:[{name:"Of",show:({kind:s,name:l})=>`${s}\
 ${l}`},{name:"For message",show:({sequence:s})=>s,isNumber:!0},{name:"Took",show:({took_ms:s})=>L(s/1e3),isNumber:!0},{
name:"Asked",show:({request:s,name:l})=>o(pt,{value:s,label:`Question to ${l}`})},{name:"Answered",show:({reply:s,error:l,
name:i})=>o(pt,{value:s??l,label:`Answer of ${i}`})}]})}),o(k,{title:"Versions",children:o(J,{facts:[["agentrt",a.agentrt],
["Node",a.node],["Platform",a.platform],["Spans of the trace",e.spans.length]]})})]})}function Uo(e){return/^[\w@%+=:,./-]+$/.
test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Fo({record:e}){let{repeat:t,replay:n}=e,[r,a]=b(!1);if(t===null)return null;
let s=["agentrt",...t].map(Uo).join(" "),l=async()=>{await navigator.clipboard.writeText(s),a(!0)},i="clipboard"in navigator;
return o(k,{title:"Repeat it",extra:i?o("button",{onClick:()=>{l()},children:r?"Copied":"Copy"}):null,children:[o("pre",
{class:"code",tabIndex:0,role:"region","aria-label":"Command that repeats the crash",children:s}),n.holds?o("p",{class:"\
dull",children:"In the folder of the project. All that the agent did since the checkpoint is in the record."}):o("p",{class:"\
refused",children:`A replay may differ: ${n.reasons.join("; ")}`})]})}function _n({state:e,too_large:t}){return t===!0?"\
too large to be kept":e}function Ko({record:e}){let{checkpoint:t,state:n}=e,r=_n(t.before),a=_n(t.after),s=JSON.stringify(
r)===JSON.stringify(a);return o(k,{title:"State",extra:o("span",{class:"dull",children:"without secrets"}),children:[o("\
h3",{children:s?"The checkpoint, before and after":"The checkpoint, before and after the message"}),s?o(H,{value:r,label:"\
Checkpoint"}):o(me,{before:r,after:a,label:"Checkpoint before and after"}),o("h3",{children:"At the crash"}),n===null?o(
v,{children:"It is not known."}):o(me,{before:a,after:n,label:"Checkpoint, and the state at the crash"})]})}function jo({
place:e}){return o(k,{title:`${e.file}:${e.line}:${e.column}`,isWide:!0,children:o("pre",{class:"code lines",tabIndex:0,
role:"region","aria-label":`Lines of ${e.file} at ${e.line}`,children:e.lines.map(({line:t,text:n})=>o("span",{class:t===
e.line?"here":"",children:`${t===e.line?"▸":" "} ${String(t).padStart(4)}  ${n}
`},t))})})}function pt({value:e,label:t}){if(e==null)return o("span",{class:"dull",children:"not kept"});let n=typeof e==
"object"?Object.keys(e).length:1;return o("details",{children:[o("summary",{children:N(n,"member")}),o(H,{value:e,label:t})]})}function vn({id:e}){return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[e===""?null:o("p",{
class:"crumbs",children:[o("a",{href:x("crashes"),children:"Crashes"})," ",o("span",{"aria-hidden":"true",children:"/"})]}),
o(D,{children:e===""?"Crashes":e})]}),e===""?o(qo,{}):o(zo,{id:e},e)]})}function qo(){let{data:e,refusal:t}=$("/crashes",
3e3),n=(e?.crashes??[]).toReversed();return o(k,{title:"The latest first",isWide:!0,children:[o(A,{refusal:t}),n.length===
0?o(v,{children:e===void 0?"Loading…":"Nothing has crashed."}):o(O,{label:"Crashes",rows:n,keyOf:({id:r})=>r,columns:[
{name:"When",show:({timestamp:r})=>o(E,{at:r})},{name:"Agent",show:({agent:r})=>o("a",{href:x("agents",r),children:r})},
{name:"Reason",show:({reason:r})=>o("b",{class:"bad",children:r})},{name:"Message",show:({message:r})=>r},{name:"At",show:({
at:r})=>r??""},{name:"",show:({id:r})=>o("a",{href:x("crashes",r),children:["Details of ",r]})}]})]})}function zo({id:e}){
let{data:t,refusal:n}=$(`/crashes/${encodeURIComponent(e)}`,3e4);if(t===void 0)return n===void 0?o(v,{children:"Loading…"}):
o(A,{refusal:n});let{error:r,message_at_hand:a,trace_id:s}=t,{record:l}=t,i=l?.v===1?l:null;return o("div",{class:"panel\
s",children:[o(k,{title:`${r.code??r.name}: ${r.message}`,isWide:!0,children:[o(J,{facts:[["Agent",o("a",{href:x("agents",
t.agent),children:t.agent})],["When",o(E,{at:t.timestamp})],["At",r.at??"unknown"],...s===null?[]:[["Trace",o("a",{href:x(
"traces",s),children:s})]]]}),r.causes.map(({name:p,code:c,message:d,at:f},g)=>o("p",{children:["because of ",o("b",{children:c??
p}),": ",d," ",f===null?"":`at ${f}`]},g))]}),a===null?null:o(k,{title:"The message at hand",children:[o(J,{facts:[["Typ\
e",a.type],["From",a.sender===""?"outside":a.sender],["Sent",o(E,{at:a.timestamp})],["Id",a.id]]}),i?.message==null?null:
o(H,{value:i.message.payload,label:"Payload of the message"})]}),i===null?null:o(bn,{record:i}),o(k,{title:"Stack",isWide:!0,
children:o("pre",{class:"code",tabIndex:0,role:"region","aria-label":"Stack",children:r.stack.join(`
`)})})]})}var wn={noRoute:"nobody has the name",refused:"the mailbox is full, or takes nothing",expired:"its time was over",stopped:"\
its agent has stopped",crashed:"its agent crashed with it",skipped:"its agent gave it up",removed:"somebody took it out"};
function kn(){let{data:e,refusal:t,refresh:n}=$("/dead-letters",3e3),[r,a]=b(""),[s,l]=b(),i=r.toLowerCase(),p=(e?.dead_letters??
[]).toReversed().filter(({recipient:c,sender:d,type:f,reason:g})=>`${c} ${d} ${f} ${g}`.toLowerCase().includes(i));return o(
"main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o(D,{children:"Dead letters"}),o("input",{type:"\
search","data-filter":!0,"aria-label":"Dead letters with this text",placeholder:"Filter ( / )",value:r,onInput:c=>a(c.currentTarget.
value)}),o("p",{class:"counts",role:"status",children:Object.entries(e?.counts??{}).filter(([,c])=>c>0).map(([c,d])=>o("\
span",{title:wn[c],children:[c," ",I(d)]},c))})]}),o(A,{refusal:t}),o(k,{title:"Messages that nobody handled, the latest\
 first",isWide:!0,children:p.length===0?o(v,{children:e===void 0?"Loading…":"There is none."}):o(Go,{letters:p,onReplay:c=>l(
Vo(c,n))})}),s===void 0?null:o(se,{question:s,onClose:()=>l(void 0)})]})}function Vo({id:e,recipient:t,type:n},r){return{
title:`Send it to ${t} again?`,text:o("p",{children:[n," is sent once more, with a new id. Nobody gets its reply. Mend t\
he agent first."]}),verb:"Replay",act:async()=>{let a=`/dead-letters/${encodeURIComponent(e??"")}/replay`;await U(a,{method:"\
POST",body:{}}),r()}}}function Go(e){let t=n=>n===""?o("span",{class:"dull",children:"outside"}):o("a",{href:x("agents",
n),children:n});return o(O,{label:"Dead letters",rows:e.letters,keyOf:({id:n,timestamp:r},a)=>`${n??""} ${r} ${a}`,columns:[
{name:"Given up",show:({timestamp:n})=>o(E,{at:n})},{name:"Why",show:({reason:n})=>o("span",{title:wn[n],children:n})},{
name:"Type",show:({type:n})=>n},{name:"To",show:({recipient:n})=>t(n)},{name:"From",show:({sender:n})=>t(n)},{name:"Trac\
e",show:({trace_id:n})=>n===null||n===""?"":o("a",{href:x("traces",n),children:n.slice(0,8)})},{name:"Again",show:n=>n.replayable===
!0&&n.id!==null&&oe("operate")?o("button",{onClick:()=>e.onReplay(n),children:"Replay"}):""}]})}var Qo=1e3;async function xn(e,t){let n="";for(;!t.signal.aborted;){let r=l=>{l.id!==""&&(n=l.id),t.onEvent(l)},a=n===""?
e:`/events?last_event_id=${encodeURIComponent(n)}`,s=await Zo(a,{...t,onEvent:r});if(t.signal.aborted)return;Sn(s),await new Promise(
l=>setTimeout(l,Qo))}}function Sn(e){let t=new Map(pe.value);e===void 0?t.delete("/events"):t.set("/events",e),pe.set(t)}
async function Zo(e,{signal:t,onEvent:n}){try{let r=await fetch(rt(e),{signal:t,credentials:"same-origin"});if(r.status===
401){await ye("The session is over. Sign in again.");return}if(!r.ok||r.body===null)return`answers ${r.status}`;Sn(void 0);
let a=r.body.pipeThrough(new TextDecoderStream).getReader(),s="";for(let l=await a.read();!l.done;l=await a.read()){let i=`${s}${l.
value}`.split(`

`);s=i.pop()??"";for(let p of i){let c=Yo(p);c!==void 0&&n(c)}}return}catch{return t.aborted?void 0:"no answer"}}function Yo(e){
let t="",n="",r="";for(let a of e.split(`
`))a.startsWith("id: ")?t=a.slice(4):a.startsWith("event: ")?n=a.slice(7):a.startsWith("data: ")&&(r+=a.slice(6));if(!(n===
""||r===""))return{id:t,type:n,data:JSON.parse(r)}}var Tn=8;function He(e){let{rows:t,rowHeight:n}=e,r=W(null),[a,s]=b({top:0,height:600}),[l,i]=b(),p=W(!1);P(()=>er(r.current,
s),[]);let c=t.findIndex(h=>e.keyOf(h)===l),d=c===-1?0:c,f=Math.max(0,Math.floor(a.top/n)-Tn),g=Math.min(t.length,Math.ceil(
(a.top+a.height)/n)+Tn),u=Math.ceil(a.top/n),m=d>=f&&d<g,y=h=>h===(m?d:u)?0:-1;Xt(()=>{if(!p.current)return;let h=r.current?.
querySelector(`[aria-rowindex="${d+2}"]`);h!=null&&(p.current=!1,h.focus({preventScroll:!0}))});let _=h=>{let S=t[Math.max(
0,Math.min(t.length-1,h))];S!==void 0&&(p.current=!0,i(e.keyOf(S)),tr(r.current,t.indexOf(S)*n,n))},w=h=>{if(!(h.target instanceof
HTMLElement&&h.target.role==="row")||h.ctrlKey||h.altKey||h.metaKey)return;let C=nr(h.key,{activeIndex:d,rowCount:t.length,
view:a,rowHeight:n}),q=t[d];if(C!==void 0)_(C);else if(q===void 0||e.onKey?.(h.key,q)!==!0)return;h.preventDefault()};return o(
"div",{class:"grid",role:e.role,"aria-label":e.label,"aria-rowcount":t.length+1,"aria-colcount":e.columnCount,children:[
e.head,o("div",{class:"rows",role:"rowgroup",ref:r,onKeyDown:w,children:o("div",{class:"all",role:"presentation",style:{
height:`${t.length*n}px`},children:t.slice(f,g).map((h,S)=>o("div",{role:"row",class:"row","aria-rowindex":f+S+2,tabIndex:y(
f+S),onFocus:()=>i(e.keyOf(h)),onClick:()=>e.onChoose?.(h),style:{top:`${(f+S)*n}px`,height:`${n}px`},...e.about?.(h),children:e.
show(h)},e.keyOf(h)))})})]})}function er(e,t){if(e===null)return()=>{};let n=()=>t({top:e.scrollTop,height:e.clientHeight}),
r=new ResizeObserver(n);return r.observe(e),e.addEventListener("scroll",n,{passive:!0}),n(),()=>{r.disconnect(),e.removeEventListener(
"scroll",n)}}function tr(e,t,n){e!==null&&(t<e.scrollTop?e.scrollTop=t:t+n>e.scrollTop+e.clientHeight&&(e.scrollTop=t+n-
e.clientHeight))}function nr(e,t){let n=Math.max(1,Math.floor(t.view.height/t.rowHeight)-1);switch(e){case"ArrowDown":return t.
activeIndex+1;case"ArrowUp":return t.activeIndex-1;case"PageDown":return t.activeIndex+n;case"PageUp":return t.activeIndex-
n;case"Home":return 0;case"End":return t.rowCount-1;default:return}}var $n=2e3;function Cn(){let[e,t]=b([]),[n,r]=b(!1),[a,s]=b(""),[l,i]=b(),p=W(!1);p.current=n,P(()=>ar({setRows:t,isPaused:()=>p.
current}),[]);let c=Q(()=>{let d=a.toLowerCase().split(" ");return e.filter(({text:f})=>d.every(g=>f.includes(g)))},[e,a]);
return o("main",{class:"page fill",id:"main",children:[o("div",{class:"bar",children:[o(D,{children:"Events"}),o("input",
{type:"search","data-filter":!0,"aria-label":"Events with these words",placeholder:"Filter: agent, type, text ( / )",value:a,
onInput:d=>s(d.currentTarget.value)}),o("button",{"aria-pressed":n,onClick:()=>r(!n),children:n?"Go on":"Pause"}),o("spa\
n",{class:"dull",children:[N(c.length,"event"),", latest first"]})]}),c.length===0?o(v,{children:e.length===0?"Nothing h\
as happened yet.":"No event fits."}):o(He,{label:"Events",role:"grid",rows:c,rowHeight:30,columnCount:4,keyOf:d=>String(
d.number),onKey:(d,f)=>d!=="Enter"&&d!==" "?!1:(i(f),!0),onChoose:i,head:o(or,{}),show:d=>o(rr,{row:d})}),l===void 0?null:
o(k,{title:l.type,extra:o("button",{onClick:()=>i(void 0),children:"Close"}),children:o(H,{value:l.data,label:"Event"})})]})}
function or(){return o("div",{role:"rowgroup",class:"head events",children:o("div",{role:"row",class:"row","aria-rowinde\
x":1,children:["Time","Type","Agent","What"].map(e=>o("div",{role:"columnheader",class:`cell col-${e.toLowerCase()}`,children:e},
e))})})}function rr({row:e}){let{type:t,agent:n,timestamp:r,...a}=e.data,s=/crash|exhausted|exceeded|halted|late|fail/.test(
e.type);return o(B,{children:[o("div",{role:"gridcell",class:"cell col-time",children:[typeof r=="number"?Y(r).slice(11,
19):"",o("span",{class:"fraction",children:typeof r=="number"?Y(r).slice(19):""})]}),o("div",{role:"gridcell",class:s?"c\
ell col-type bad":"cell col-type",children:e.type}),o("div",{role:"gridcell",class:"cell col-agent",children:e.agent===""?
"":o("a",{href:x("agents",e.agent),tabIndex:-1,children:e.agent})}),o("div",{role:"gridcell",class:"cell col-what",children:be(
a)})]})}function ar(e){let t=new AbortController,n=[],r=0,a=!1,s=()=>{if(a=!1,t.signal.aborted)return;if(e.isPaused()){l();
return}let p=n.splice(0).reverse();e.setRows(c=>[...p,...c].slice(0,$n))},l=()=>{a||(a=!0,setTimeout(()=>requestAnimationFrame(
s),100))},i=p=>{r+=1;let{agent:c}=p.data,d=typeof c=="string"?c:"",f=`${p.type} ${z(p.data)}`.toLowerCase();n.push({...p,
number:r,agent:d,text:f}),n.length>$n&&n.shift(),l()};return xn("/events?recent=500",{signal:t.signal,onEvent:i}),()=>{t.
abort(),Je("/events")}}var Ce=new Z(void 0);function Nn(){let{data:e}=$("/health",3e3);P(()=>{e!==void 0&&Ce.set(e)},[e])}var sr={start:["+","good"],stop:["−","bad"],restart:["↻","wait"],move:["→","dull"],change:["~","wait"]};function Bn(){
let[e,t]=ae("topology",""),[n,r]=ae("name of the topology","topology.yaml"),[a,s]=b(),[l,i]=b([]),[p,c]=b(),d=$("/apply",
3e3),f=async()=>{i([]),s(void 0);try{s({text:e,plan:(await U("/plan",{method:"POST",body:{topology:e,name:n}})).body})}catch(y){
i(ir(y))}},g=async y=>{y!==void 0&&(r(y.name),t(await y.text()))},u=a?.text===e,m=async()=>{await U("/apply",{method:"PO\
ST",body:{topology:e,name:n}}),s(void 0),d.refresh()};return o("main",{class:"page",id:"main",children:[o("div",{class:"\
bar",children:[o(D,{children:"Plan and apply"}),o(lr,{apply:d.data})]}),o(k,{title:"Another topology",isWide:!0,children:[
o("form",{class:"stack",onSubmit:y=>{y.preventDefault(),f()},children:[o("label",{children:["A file of this machine",o("\
input",{type:"file",accept:".yaml,.yml,.json",onChange:y=>{g(y.currentTarget.files?.[0])}})]}),o("label",{children:["Its\
 text",o("textarea",{required:!0,spellcheck:!1,value:e,onInput:y=>t(y.currentTarget.value)})]}),o("div",{class:"buttons",
children:o("button",{class:"primary",children:"Plan"})})]}),l.length===0?null:o("p",{class:"refused",role:"alert",children:l.
join(`
`)})]}),a===void 0?null:o(ur,{plan:a.plan,isCurrent:u,onApply:()=>c(dr(a.plan,m))}),p===void 0?null:o(se,{question:p,onClose:()=>c(
void 0)})]})}function ir(e){if(!(e instanceof X))return[e instanceof Error?e.message:String(e)];let{problems:t}=e.body;return Array.
isArray(t)?t.map(String):[e.message]}function lr({apply:e}){if(e===void 0||e.status==="none")return null;let{status:t,timestamp:n,
error:r,late:a=[]}=e;return o("p",{class:t==="failed"?"refused":"done",role:"status",children:["The latest apply: ",t," ",
n===void 0?null:o(E,{at:n}),r===void 0?"":`: ${r}`,a.length===0?"":`; did not stop in time: ${a.join(", ")}`]})}function En({
nodes:e,counts:t}){let n=e.filter(({action:a})=>a==="stop"||a==="restart"),r=a=>n.reduce((s,l)=>s+a(l),0);return{down:(t.
stop??0)+(t.restart??0),atHand:r(a=>a.messages_at_hand),waiting:r(a=>a.messages_waiting),children:r(a=>a.children_count)}}
function dr(e,t){let{down:n,atHand:r,waiting:a,children:s}=En(e);return{title:"Put this topology in place of the one tha\
t runs?",text:o("p",{children:[N(n,"node")," stop or restart, with ",N(r,"message")," at hand,"," ",N(a,"message")," tha\
t wait and ",N(s,"child","children"),". What fails is undone."]}),verb:"Apply",isDangerous:!0,act:t}}function ur(e){let{
plan:t}=e,{down:n,atHand:r,waiting:a,children:s}=En(t),l=t.needs_restart.length>0,i=Object.entries(t.counts).filter(([,p])=>p>
0);return o(k,{title:t.changes?"What it changes":"It changes nothing",extra:t.changes&&!l&&oe("operate")?o("button",{class:"\
danger",disabled:!e.isCurrent,onClick:e.onApply,children:e.isCurrent?"Apply":"The text has changed: plan again"}):null,isWide:!0,
children:[o(J,{facts:[...i.map(([p,c])=>[p,c]),["Stop or restart",N(n,"node")],["At hand there",N(r,"message")],["Waitin\
g there",N(a,"message")],["End with them",N(s,"child","children")]]}),l?o("p",{class:"refused",role:"alert",children:`It\
 cannot be applied: the process has to be restarted.
${t.needs_restart.join(`
`)}`}):null,t.workers_away.length===0?null:o("p",{class:"dull",children:["No worker is there for ",t.workers_away.join("\
, "),": they get it when one comes."]}),t.parts.map(({kind:p,name:c,action:d})=>o("p",{children:[d," ",p," ",c]},`${p} ${c}`)),
t.nodes.length===0?o(v,{children:"No node is touched."}):o(cr,{nodes:t.nodes})]})}function cr({nodes:e}){return o(O,{label:"\
Nodes that change",rows:e,keyOf:({name:t,action:n})=>`${n} ${t}`,columns:[{name:"Does",show:({action:t})=>{let[n,r]=sr[t]??
["·","dull"];return o("span",{class:`status ${r}`,children:[o("span",{class:"mark","aria-hidden":"true",children:n}),t]})}},
{name:"Node",show:({name:t,kind:n})=>`${t} (${n})`},{name:"Where",show:({parent:t,moved_from:n})=>`${t??"the root"}${n===
null?"":`, from ${n}`}`},{name:"Because",show:({because:t})=>t.map(n=>o("div",{children:n},n))},{name:"At hand",show:t=>t.
messages_at_hand,isNumber:!0},{name:"Waiting",show:t=>t.messages_waiting,isNumber:!0},{name:"Ends with it",show:({children_count:t,
children:n})=>t===0?"":`${t}: ${n.join(", ")}${t>n.length?" …":""}`},{name:"A crash restarts",show:t=>t.crash_restarts.
join(", ")}]})}var pr=[["key","API key"],["token","Token (JWT)"],["header","Other header"]];function Pn({notice:e}){let[t,n]=b("key"),[
r,a]=b("X-"),[s,l]=b(""),[i,p]=b(""),[c,d]=b(!1),f=async()=>{d(!0),p("");let u=s.trim();try{let m=await st(mr(t,u,r.trim()));
m!==void 0&&p(m.message)}catch(m){p(m instanceof Error?m.message:String(m))}d(!1)},g=async()=>{try{await at("No certific\
ate lets this browser in.")}catch(u){p(u instanceof Error?u.message:String(u))}};return o("main",{class:"sign-in",children:o(
"form",{onSubmit:u=>{u.preventDefault(),f()},children:[o("h1",{children:[o("span",{class:"brand",children:"agentrt"})," \
console of ",Ie]}),e===""?null:o("p",{role:"status",children:e}),o("fieldset",{children:[o("legend",{children:"Sign in w\
ith"}),pr.map(([u,m])=>o("label",{class:"choice",children:[o("input",{type:"radio",name:"way",checked:t===u,onChange:()=>n(
u)}),m]},u))]}),t==="header"?o("label",{children:["Name of the header",o("input",{required:!0,pattern:"[xX]-[\\w\\-]+",title:"\
X- and letters, digits or dashes",value:r,onInput:u=>a(u.currentTarget.value)})]}):null,o("label",{children:[fr[t],o("in\
put",{type:"password",autocomplete:"off",spellcheck:!1,required:!0,value:s,onInput:u=>l(u.currentTarget.value)})]}),i===
""?null:o("p",{class:"refused",role:"alert",children:i}),o("div",{class:"buttons",children:[o("button",{type:"button",onClick:()=>{
g()},children:"Use a certificate, or none"}),o("button",{class:"primary",disabled:c,children:"Sign in"})]}),o("p",{class:"\
hint",children:"The key or token is sent to this server once. The browser keeps a cookie that ends after 30 minutes with\
out use, after 12 hours, and with the token."})]})})}var fr={key:"Key",token:"Token",header:"Value"};function mr(e,t,n){
switch(e){case"key":return{"x-api-key":t};case"token":return{authorization:`Bearer ${t}`};case"header":return{[n]:t,"x-a\
gentrt-credential-header":n}}}var Rn="agentrt-console-theme",Xe=["auto","light","dark"],hr={auto:"◐ Auto",light:"☀ Light",dark:"☾ Dark"};function An(){
let[e,t]=b(gr());P(()=>{document.documentElement.dataset.theme=e;try{localStorage.setItem(Rn,e)}catch{}},[e]);let n=Xe[(Xe.
indexOf(e)+1)%Xe.length]??"auto";return o("button",{onClick:()=>t(n),"aria-label":`Theme: ${e}. Change to ${n}`,children:hr[e]})}
function gr(){try{let e=localStorage.getItem(Rn);return Xe.find(t=>t===e)??"auto"}catch{return"auto"}}function Mn(e){let t=e.reduce((c,d)=>Math.min(c,d.start_time),1/0),n=e.reduce((c,d)=>Math.max(c,d.end_time),-1/0),r=Math.
max(0,n-t),a=new Set(e.map(({span_id:c})=>c)),s=new Map;for(let c of e.toSorted((d,f)=>d.start_time-f.start_time)){let{parent_span_id:d}=c,
f=d!==null&&a.has(d)&&d!==c.span_id?d:"";s.set(f,[...s.get(f)??[],c])}let l=[],i=new Set,p=(c,d)=>{if(i.has(c.span_id))return;
i.add(c.span_id);let f=m=>r===0?0:(m-t)/r,g=f(c.start_time),u=r===0?1:f(c.end_time)-g;l.push({span:c,depth:d,from:g,length:u});
for(let m of s.get(c.span_id)??[])p(m,d+1)};for(let c of s.get("")??[])p(c,0);for(let c of e)p(c,0);return{rows:l,seconds:r}}function In(e){let{id:t,query:n}=e,[r,a]=b(t);return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[
t===""?null:o("p",{class:"crumbs",children:[o("a",{href:x("traces"),children:"Traces"})," ",o("span",{"aria-hidden":"tru\
e",children:"/"})]}),o(D,{children:t===""?"Traces":`Trace ${t.slice(0,8)}`}),t===""?o(yr,{query:n}):null,o("form",{class:"\
line",onSubmit:s=>{s.preventDefault(),location.hash=x("traces",r.trim())},children:[o("input",{"aria-label":"Id of a tra\
ce",placeholder:"Id of a trace",size:34,value:r,onInput:s=>a(s.currentTarget.value)}),o("button",{children:"Show"})]})]}),
t===""?o(br,{query:n}):o(Sr,{id:t},t)]})}var On=["0.001","0.01","0.1","1","10"];function yr({query:e}){let t=a=>e.get(a)??
"",n=(a,s)=>{location.hash=x("traces","",{...Object.fromEntries(e),[a]:s})},r=t("min_duration");return o(B,{children:[o(
"input",{type:"search","data-filter":!0,"aria-label":"Traces with the agent",placeholder:"Agent ( / )",value:t("agent"),
onChange:a=>n("agent",a.currentTarget.value.trim())}),o("select",{"aria-label":"Traces of status",value:t("status"),onChange:a=>n(
"status",a.currentTarget.value),children:[o("option",{value:"",children:"any status"}),o("option",{children:"ok"}),o("op\
tion",{children:"error"})]}),o("select",{"aria-label":"Traces that took at least",value:r,onChange:a=>n("min_duration",a.
currentTarget.value),children:[o("option",{value:"",children:"any duration"}),On.map(a=>o("option",{value:a,children:[L(
Number(a))," or more"]},a)),r===""||On.includes(r)?null:o("option",{value:r,children:[r," s or more"]})]}),o("label",{class:"\
choice",children:[o("input",{type:"checkbox",checked:t("all")==="yes",disabled:t("agent")!=="",onChange:a=>n("all",a.currentTarget.
checked?"yes":"")}),"Requests without an agent, too"]})]})}var _r=20;function Ln(e,t){let n=new URLSearchParams({limit:"\
50"});for(let r of["agent","status","min_duration"]){let a=e.get(r);a!==null&&a!==""&&n.set(r,a)}return!n.has("agent")&&
e.get("all")!=="yes"&&n.set("agent","*"),t!==void 0&&n.set("before",t),`/traces?${n}`}function br({query:e}){let[t,n]=b(
[]),[r,a]=b(!1),[s,l]=b(),i=t.length===0,p=$(i?Ln(e):void 0,4e3),c=i?p.data===void 0?[]:[p.data]:t,d=c.at(-1)?.next??null,
f=async()=>{a(!0),l(void 0);let g=[...c];try{for(let u=d,m=0;u!==null&&m<_r;m+=1){let{body:y}=await U(Ln(e,u));if(g.push(
y),u=y.next,y.traces.length>0)break}}catch(u){u instanceof X&&l(u)}n(g),a(!1)};return o(k,{title:i?"The latest":"As they\
 were when you looked further back",extra:i?null:o("button",{onClick:()=>n([]),children:"Back to the latest"}),isWide:!0,
children:[o(A,{refusal:p.refusal??s}),o(Te,{unread:c.flatMap(({unread:g=[]})=>g)}),o(wr,{lists:c,isKnown:p.data!==void 0||
!i}),d===null?null:o("div",{class:"line",children:[o("button",{disabled:r,onClick:()=>{f()},children:r?"Looking…":"Loo\
k further back"}),o("span",{class:"dull",role:"status",children:vr(d)})]})]})}function vr(e){let t=Number(/^[\d.]+/.exec(
e)?.[0])/1e3;return Number.isFinite(t)?`looked back to ${Y(t)}`:""}function wr(e){let n=[...new Map(e.lists.flatMap(({traces:a})=>a.
map(s=>[s.trace_id,s]))).values()];if(n.length===0){if(!e.isKnown)return o(v,{children:"Loading…"});let a=e.lists.some(
({recorded:s})=>s);return o(v,{children:a?"No trace fits, as far as was looked.":"No spans are made: the topology names \
no exporter."})}let r=Math.max(...n.map(Jn));return o(O,{label:"Traces",rows:n,keyOf:({trace_id:a})=>a,columns:[{name:"T\
race",show:({trace_id:a,name:s})=>o("a",{href:x("traces",a),children:s||"unnamed"})},{name:"Status",show:({status:a})=>o(
j,{status:a})},{name:"Began",show:({start_time:a})=>o(E,{at:a})},{name:"Agents",show:({agents:a})=>o(kr,{names:a})},{name:"\
Spans",show:({span_count:a})=>a,isNumber:!0},{name:"Took",show:a=>o(xr,{trace:a,longest:r}),isNumber:!0}]})}function Jn({
start_time:e,end_time:t}){return Math.max(0,t-e)}var Dn=4;function kr({names:e}){let t=e.length-Dn;return o(B,{children:[
e.slice(0,Dn).map((n,r)=>o("span",{children:[r===0?"":", ",o("a",{href:x("agents",n),children:n})]},n)),t>0?o("span",{class:"\
dull",children:[" and ",t," more"]}):null]})}function xr(e){let t=Jn(e.trace),n=e.longest===0?0:t/e.longest,r=e.trace.status===
"error"?"bar-error":"bar-good";return o("span",{class:"took",children:[L(t),o("span",{class:"track","aria-hidden":"true",
children:o("span",{class:r,style:{width:`max(1px, ${n*100}%)`}})})]})}function Sr({id:e}){let{data:t,refusal:n}=$(`/trac\
es/${encodeURIComponent(e)}`,3e3),r=Q(()=>t===void 0?void 0:Mn(t.spans),[t]),[a,s]=b();if(r===void 0)return n===void 0?o(
v,{children:"Loading…"}):o(A,{refusal:n});let l=Math.min(...r.rows.map(({span:i})=>i.start_time));return o(k,{title:`${N(
r.rows.length,"span")} in ${L(r.seconds)}`,extra:o("span",{class:"dull",children:Y(l)}),isWide:!0,children:[o(Te,{unread:t?.
unread??[]}),o("ol",{class:"waterfall","aria-label":"Spans",children:r.rows.map(i=>o(Tr,{row:i,start:l,isOpen:a===i.span.
span_id,onToggle:()=>s(a===i.span.span_id?void 0:i.span.span_id)},i.span.span_id))})]})}function Tr(e){let{span:t,depth:n,
from:r,length:a}=e.row,s=t.end_time-t.start_time,l=L(t.start_time-e.start),i=t.status==="error";return o("li",{children:[
o("button",{class:"span","aria-expanded":e.isOpen,onClick:e.onToggle,children:[o("span",{class:"title",style:{paddingLeft:`${Math.
min(n,16)*.9}rem`},children:[i?o("span",{class:"bad",children:"✖ error "}):null,t.name]}),o("span",{class:"track","ari\
a-hidden":"true",children:o("span",{class:i?"bar-error":"bar-good",style:{marginLeft:`${r*100}%`,width:`max(2px, ${a*100}\
%)`}})}),o("span",{class:"duration",children:[L(s),o("span",{class:"hidden",children:[", ",l," after the start"]})]})]}),
e.isOpen?o("div",{class:"details",children:[t.error_message===null?null:o("p",{class:"refused",children:t.error_message}),
o(H,{label:`Attributes of ${t.name}`,value:{kind:t.kind,starts:Y(t.start_time),...t.attributes}})]}):null]})}var We=["CRASHED","STOPPED","STOPPING","SUSPENDED","INITIALIZING","RUNNING"];function Xn(e,t){let n=new Map,r=[],a=t.text!==
""||t.status!=="",s=(i,p)=>{let c="status"in i?i.status:void 0;c!==void 0&&i.type!=="dynamic_supervisor"&&i.type!=="key"&&
n.set(c,(n.get(c)??0)+1);let d=$r(i,t),f=i.type==="keyed",g=f?t.opened.has(i.name):a||!t.closed.has(i.name),u=r.length;r.
push(void 0);let m=c===void 0?We.length-1:Cr(c),y=0,_=!a||Nr(i.name,c,t);return d.forEach((w,h)=>{let S=r.length,C={position:h+
1,siblingCount:d.length},q=s(w,{depth:p.depth+1,...C});m=Math.min(m,q.worst),y+=1+q.below,_||=q.isShown,(!g||!q.isShown)&&
(r.length=S)}),r[u]={...p,name:i.name,kind:i.type,status:c??We[m]??"RUNNING",restartCount:i.restart_count,note:Br(i,t),belowCount:f?
Hn(i):y,hasChildren:f?g||Hn(i)>0:d.length>0,isOpen:g,processId:i.process_id},{worst:m,below:y,isShown:_}},{isShown:l}=s(
e,{depth:0,position:1,siblingCount:1});return{rows:l?r:[],counts:n}}function $r(e,{opened:t,keys:n}){if(e.type!=="keyed")
return"children"in e?e.children:[];if(!t.has(e.name))return[];let{process_id:r}=e;return(n.get(e.name)?.keys??[]).map(a=>({
...a,type:"key",process_id:r}))}function Hn(e){return e.resident_count+e.waiting_count+e.failed_count}function Wn(e,t){let[
n,r]=[`${e}/`.toLowerCase(),t.toLowerCase()];return n.includes(r)?"":r.startsWith(n)?t.slice(n.length):t}function Cr(e){
let t=We.indexOf(e);return t===-1?We.length-1:t}function Nr(e,t,n){return e.toLowerCase().includes(n.text.toLowerCase())?
n.status===""?!0:t===void 0?!1:n.status==="not RUNNING"?t!=="RUNNING":t===n.status:!1}function Br(e,{opened:t,keys:n}){switch(e.
type){case"supervisor":return`${e.strategy}${e.crashes_in_window>0?`, ${N(e.crashes_in_window,"crash","crashes")} lately`:
""}`;case"dynamic_supervisor":return`${e.live_count} of ${e.max_children??"any number"} children`;case"pool":return`${e.
busy_count} busy, ${e.min} to ${e.max} members, ${e.mailbox_depth} wait`;case"keyed":return[t.has(e.name)&&(n.get(e.name)?.
next??null)!==null?"the first are shown: filter by name":"",`${N(e.resident_count,"key")} in memory, ${e.mailbox_depth} \
wait`,e.failed_count>0?`${e.failed_count} refuse`:""].filter(r=>r!=="").join(", ");case"key":return[e.mailbox_depth>0?`${e.
mailbox_depth} wait`:"",e.suspend_category].filter(r=>r!==""&&r!==null).join(", ");default:return[e.halted===void 0?"":`\
halted by ${e.halted.initiated_by}`,e.approvals===void 0?"":"waits for an approval",e.halted===void 0&&e.approvals===void 0?
e.suspend_category??"":""].filter(r=>r!=="").join(", ")}}var Er=["not RUNNING","RUNNING","SUSPENDED","CRASHED","STOPPED","INITIALIZING"],[Pr,Rr]=[10,100];function Ar({revision:e}){
return e===void 0?"/topology":`/topology?since=${encodeURIComponent(e)}`}function Fn(){let e=$("/topology",1500,Ar),t=$(
"/overview",5e3),n=ce(Ce),[r,a]=b(""),[s,l]=b(""),[i,p]=b(new Set),[c,d]=b(new Set),[f,g]=b(new Map),u=Q(()=>new Map(t.data?.
agents.map(_=>[_.name,_])),[t.data]),m=Q(()=>e.data===void 0?void 0:Xn(e.data,{text:r,status:s,closed:i,opened:c,keys:f}),
[e.data,r,s,i,c,f]),y=(_,w=!_.isOpen)=>{if(!_.hasChildren||_.isOpen===w)return!1;let h=_.kind==="keyed",S=new Set(h?c:i);
return w===h?S.add(_.name):S.delete(_.name),h?d(S):p(S),!0};return o("main",{class:"page fill",id:"main",children:[o("di\
v",{class:"bar",children:[o(D,{children:"Tree"}),o("input",{type:"search","data-filter":!0,"aria-label":"Names that cont\
ain",placeholder:"Filter by name ( / )",value:r,onInput:_=>a(_.currentTarget.value)}),o("select",{"aria-label":"Agents o\
f status",value:s,onChange:_=>l(_.currentTarget.value),children:[o("option",{value:"",children:"any status"}),Er.map(_=>o(
"option",{children:_},_))]}),o(Mr,{counts:m?.counts})]}),o(Or,{health:n,overview:t.data}),o(A,{refusal:e.refusal}),[...c].
slice(-Pr).map(_=>o(cn,{name:_,limit:Rr,text:Wn(_,r),status:s==="not RUNNING"?"!RUNNING":s,onKeys:(w,h)=>g(S=>new Map(S).
set(w,h))},_)),m===void 0?e.refusal===void 0?o(v,{children:"Loading…"}):null:m.rows.length===0?o(v,{children:"No agent\
 fits."}):o(Dr,{rows:m.rows,figures:u,onToggle:y})]})}function Mr({counts:e}){if(e===void 0)return null;let t=[...e.values()].
reduce((n,r)=>n+r,0);return o("p",{class:"counts",role:"status",children:[o("span",{children:N(t,"agent")}),[...e].map(([
n,r])=>o("span",{children:[o(j,{status:n})," ",I(r)]},n))]})}function Or(e){let t=e.health===void 0?[]:Lr(e.health);for(let{
name:n,since:r}of e.overview?.models_silent??[])t.push(`the model ${n} has answered nobody since ${fe(r)}`);for(let{name:n}of e.
overview?.budgets_used_up??[])t.push(`the budget of ${n} is used up`);return t.length===0?null:o("ul",{class:"notices","\
aria-label":"What is wrong",children:t.map(n=>o("li",{children:[o("span",{"aria-hidden":"true",children:"▲"})," ",n]},
n))})}function Lr(e){let{approvals:t,halted:n=[],leader:r}=e,a=[];if(e.status==="degraded"){e.failed.length>0&&a.push(`g\
iven up: ${e.failed.join(", ")}`),e.state!==void 0&&a.push(`no state is saved: ${e.state.reason}`);for(let s of e.workers_away??
[])a.push(`no worker for ${s}`);for(let s of e.workers_silent??[])a.push(`the worker ${s} is silent`);e.audit!==void 0&&
a.push(`no audit: ${e.audit.reason}`)}r!==void 0&&a.push(`this supervisor waits: ${r} leads`);for(let s of n)a.push(`${s}\
 is halted by an eval agent`);return t!==void 0&&t.pending>0&&a.push(`${N(t.pending,"approval")} to be decided`),a}var Un=[
"Name","Status","Kind","Mailbox","At hand","Restarts","Cost","Notes"];function Dr(e){let t=r=>ft(r)?e.onToggle(r):(location.
hash=x("agents",r.name),!0),n=(r,a)=>r==="ArrowRight"?e.onToggle(a,!0):r==="ArrowLeft"?e.onToggle(a,!1):r==="Enter"||r===
" "?t(a):!1;return o(He,{label:"Agents and supervisors",role:"treegrid",rows:e.rows,rowHeight:34,columnCount:Un.length,keyOf:r=>r.
name,onKey:n,about:r=>({"aria-level":r.depth+1,"aria-posinset":r.position,"aria-setsize":r.siblingCount,...r.hasChildren?
{"aria-expanded":r.isOpen}:{}}),head:o("div",{role:"rowgroup",class:"tree head",children:o("div",{role:"row",class:"row",
"aria-rowindex":1,children:Un.map(r=>o("div",{role:"columnheader",class:`cell col-${r.toLowerCase().replace(" ","-")}`,children:r},
r))})}),show:r=>o(Ir,{row:r,figures:e.figures.get(r.name),onToggle:e.onToggle})})}function ft({kind:e}){return e==="supe\
rvisor"||e==="dynamic_supervisor"}function Ir(e){let{row:t,figures:n}=e,r=(l,i)=>o("div",{role:"gridcell",class:`cell co\
l-${l}`,children:i}),a=n?.waits_for,s=n?.at_hand;return o(B,{children:[o("div",{role:"gridcell",class:"cell col-name",style:{
paddingLeft:`${.25+Math.min(t.depth,12)}rem`},children:[t.hasChildren?o("button",{class:"twist",tabIndex:-1,"aria-label":`${t.
isOpen?"Close":"Open"} ${t.name}`,onClick:()=>e.onToggle(t),children:t.isOpen?"▾":"▸"}):o("span",{class:"twist"}),ft(
t)?o("span",{class:"group",children:t.name}):o("a",{href:x("agents",t.name),tabIndex:-1,children:t.name}),t.hasChildren&&
!t.isOpen?o("span",{class:"below",children:t.belowCount}):null]}),r("status",o(j,{status:t.status,isBelow:ft(t)&&t.status!==
"RUNNING"})),r("kind",t.kind.replace("_supervisor","")),r("mailbox",n===void 0?"":I(n.mailbox_depth)),r("at-hand",s==null?
"":fe(s.since).replace(" ago","")),r("restarts",t.restartCount===0?"":t.restartCount),r("cost",n===void 0||n.cost_usd===
0?"":_e(n.cost_usd)),r("notes",a===void 0?t.note:`waits for the ${a.kind} ${a.name}`)]})}function jn(){let e=ce(K);return P(()=>{ye().catch(()=>setTimeout(qn,2e3))},[]),e.kind==="in"?o(Jr,{session:e.session}):
e.kind==="out"?o(Pn,{notice:e.notice}):o("main",{class:"page",children:[o(zn,{}),o(v,{children:"Loading…"})]})}function qn(){
ye().catch(()=>setTimeout(qn,2e3))}var mt=[{name:"tree",label:"Tree",show:()=>o(Fn,{})},{name:"approvals",label:"Approva\
ls",show:e=>o(yn,{id:e})},{name:"events",label:"Events",show:()=>o(Cn,{})},{name:"traces",label:"Traces",show:(e,t)=>o(In,
{id:e,query:t},`${e}?${t}`)},{name:"crashes",label:"Crashes",show:e=>o(vn,{id:e})},{name:"dead-letters",label:"Dead lett\
ers",show:()=>o(kn,{})},{name:"plan",label:"Plan",show:()=>o(Bn,{})}];function Jr({session:e}){let{page:t,about:n,query:r}=ce(
ct);Nn();let a=ce(Ce)?.approvals?.pending??0;P(()=>(document.addEventListener("keydown",Kn),()=>document.removeEventListener(
"keydown",Kn)),[]);let s=mt.find(({name:c})=>c===t)??mt[0],l=t==="agents"&&n!=="",i=l?n:s?.label??"",p=W(null);return P(
()=>{p.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[t]),P(()=>{document.
title=`${i} · ${Ie}: agentrt console`},[i]),o(B,{children:[o("a",{class:"skip",href:"#main",onClick:Hr,children:"To the\
 content"}),o("header",{class:"top",children:[o("a",{class:"brand",href:x("tree"),children:"agentrt"}),o("nav",{"aria-la\
bel":"Pages",ref:p,children:mt.map(({name:c,label:d})=>o("a",{href:x(c),"aria-current":!l&&c===s?.name?"page":void 0,children:[
d,c==="approvals"&&a>0?o("span",{class:"badge",children:a}):null]},c))}),o("div",{class:"who",children:[o("span",{title:`\
may: ${e.scopes?.join(", ")??"all"}`,children:[e.principal,e.scopes===null?"":` (${e.scopes.join(", ")||"nothing"})`]}),
o(An,{}),o("button",{onClick:()=>{jt()},children:"Sign out"})]})]}),o(zn,{}),l?o(fn,{name:n},n):s?.show(n,r)]})}function Hr(e){
e.preventDefault(),document.querySelector("main h1")?.focus()}function Kn(e){let t=e.target instanceof HTMLElement&&e.target.
matches("input, textarea, select");if(e.key!=="/"||t||e.ctrlKey||e.metaKey||e.altKey)return;let n=document.querySelector(
"[data-filter]");n!==null&&(e.preventDefault(),n.focus())}function zn(){let e=[...ce(pe)];if(e.length===0)return null;let t=e.
every(([,r])=>r==="no answer"),n=e.slice(0,3).map(([r,a])=>`${r}: ${a}`);return o("p",{class:"banner",role:"alert",children:[
o("span",{"aria-hidden":"true",children:"▲"})," ",t?"The server does not answer. What you see is what was known last; \
the page asks again.":n.join("; ")]})}var ht=document.querySelector("#console");ht!==null&&(ht.replaceChildren(),Et(o(jn,{}),ht));
