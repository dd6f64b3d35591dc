/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */
var v,Ye,Zt,U,Ne,me,et,ue,tt,Re,Ee,Yt,te=Symbol.for("pv"),_e={},he=[],en=/^m(i|n|o|s|text|space)$/,Be=Array.isArray,nt=he.
slice,j=Object.assign;function V(e){e&&e.parentNode&&e.remove()}function ce(e,t,n,r,a){var i={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:te,__v:a||
++Ye,__i:-1,__u:0};return!a&&v.vnode&&v.vnode(i),i}function C(e){return e.children}function fe(e,t){this.props=e,this.context=t,this.__g=0}function J(e,t){if(t==null)return e.
__&&J(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.
props.__P?null:J(e)}function tn(e){var t,n=e.__v,r=n.__e,a=[],i=[],d=e.__P;d&&((t=j({constructor:te},n)).__v=n.__v+1,v.vnode&&
v.vnode(t),Me(d,t,n,e.__n,d.namespaceURI,32&n.__u?[r]:null,a,r||J(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=t,lt(a,t,i),
n.__=n.__e=null,t.__e!=r&&rt(t))}function rt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){
return t&&(e.__e=t.__e)}),rt(e)}function Qe(e){(8&e.__g||(e.__g|=8,U.push(e),me++))&&Ne==v.debounceRendering||((Ne=v.debounceRendering)||
queueMicrotask)(ot)}function ot(){try{for(var e,t=1;U.length;)U.length>t&&U.sort(et),e=U.shift(),t=U.length,8&e.__g&&tn(
e)}finally{(me=U.length)&&(Ne||queueMicrotask)(ot)}}function at(e,t,n,r,a,i,d,s,c,p,u){var _,f,l,m,h,g,b=r.__k||he,y=t.length;
for(c=nn(n,t,b,c,y),_=0;_<y;_++)(l=n.__k[_])!=null&&(f=~l.__i&&b[l.__i]||_e,l.__i=_,g=Me(e,l,f,a,i,d,s,c,p,u),m=l.__e,(f.
ref!=l.ref||8&f.__u)&&(f.ref&&Pe(f.ref,null,l,f),l.ref&&u.push(l.ref,l.__c||m,l)),h=h||m,4&l.__u?(c=it(l,c,e,!f.__v),f.__e&&
(f.__e=null)):typeof l.type=="function"&&g!==void 0?c=g:m&&(c=m.nextSibling),l.__u&=-21);return n.__e=h,c}function nn(e,t,n,r,a){
var i,d,s,c,p,u,_,f,l,m=n.length,h=m,g=0,b=0,y=e.__k=Array(a);for(i=0;i<a;i++)(d=t[i])!=null&&typeof d!="boolean"&&typeof d!=
"function"?(typeof d!="object"||d.constructor===String?d=y[i]=ce(null,d):Be(d)?d=y[i]=ce(C,{children:d}):d.constructor===
te&&d.__b?d=y[i]=ce(d.type,d.props,d.key,d.ref,d.__v):y[i]=d,c=i+g,d.__=e,d.__b=e.__b+1,s=null,~(p=d.__i=rn(d,n,c,h))&&(h--,
(s=n[p])&&(s.__u|=2)),s&&s.__v?(d.__u|=16,p==c-1?g--:p==c+1?g++:p!=c&&(p>c?g--:g++,b=1)):(~p||(a>m?g--:a<m&&g++),typeof d.
type!="function"&&(d.__u|=4))):y[i]=null;if(b){for(u=[],_=[],i=0;i<a;i++)if((d=y[i])&&16&d.__u){for(g=0,f=u.length;g<f;)
u[l=g+f>>1]<d.__i?g=l+1:f=l;u[g]=d.__i,_[i]=g+1}for(g=u.length;i--;)_[i]&&(_[i]==g?g--:y[i].__u|=4)}if(h)for(i=0;i<m;i++)
!(s=n[i])||2&s.__u||(s.__e==r&&(r=J(s)),Ie(s,s));return r}function it(e,t,n,r){var a,i,d,s;if(typeof e.type=="function"){
if(e.props.__P)return t;if(a=e.__k)for(i=0;i<a.length;i++)a[i]&&(a[i].__=e,t=it(a[i],t,n,!1));return t}for(t&&!t.parentNode&&
(t=J(e))&&!t.parentNode&&(t=null),d=e.__e,s=t;s&&s.nodeType==8;)s=s.nextSibling;for(d!=s&&(!r&&n.moveBefore&&d.parentNode?
n.moveBefore(d,t):n.insertBefore(d,t||null)),t=d;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function rn(e,t,n,r){var a,i=e.key,d=e.type,s=t[n],c=s&&!(2&s.__u);if(s===null&&i==null||c&&i==s.key&&d==s.type)return n;
if(r>(c?1:0)){for(a=n-1;a>=0;a--)if((s=t[a])&&!(2&s.__u)&&i==s.key&&d==s.type)return a;for(a=n+1;a<t.length;a++)if((s=t[a])&&
!(2&s.__u)&&i==s.key&&d==s.type)return a}return-1}function Ze(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}
function de(e,t,n,r,a){var i,d;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||Ze(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ze(e.style,t,n[t])}else if(t[0]=="o"&&
t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(d=Ee[t]||(Ee[t]=
on(t)),(e.__a||(e.__a={}))[t]=Re,i=t!=(t=t.replace(tt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(
t,d,i):e.removeEventListener(t,d,i));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function on(e){return function(t){var n=this.
__e;if(n){if(n=n[e],t[ue]==null)t[ue]=Re++;else if(t[ue]<this.__a[e])return;return n(v.event?v.event(t):t)}}}function Me(e,t,n,r,a,i,d,s,c,p){
var u,_,f,l,m,h,g,b,y,S,w,$e,qe,le,W,Ge,H,z,A=t.type;if(t.constructor!==te)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&
(t.__u|=c,_=i=[],u.nodeType==8?s=pe(u,i):i.push(u),s=i[0]||s),(u=v.__b)&&u(t);e:if(typeof A=="function"){f=d.length;try{
if(b=t.props,y=(u=A.prototype)&&u.render,S=(u=A.contextType)&&r[u.__c],w=u?S?S.props.value:u.__:r,(l=n.__c)?(t.__c=l,2&l.
__g&&(l.__g|=1)):(y?t.__c=l=new A(b,w):(t.__c=l=new fe(b,w),l.constructor=A,l.render=sn),S&&S.sub(l),l.state||(l.state={}),
l.__n=r,l.__g|=8,l.__h=[],l.__k=[]),y&&(l.__s||(l.__s=l.state),A.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=j({},
l.__s)),j(l.__s,A.getDerivedStateFromProps(b,l.__s)))),m=l.props,h=l.state,l.__v=t,n.__c){if(b!==m&&y&&!A.getDerivedStateFromProps&&
l.componentWillReceiveProps&&l.componentWillReceiveProps(b,w),t.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&
l.shouldComponentUpdate(b,l.__s,w)===!1){t.__v!=n.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(B){B&&(B.__=t)}),he.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&d.push(l),s=J(n);break e}l.componentWillUpdate&&
l.componentWillUpdate(b,l.__s,w),y&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(m,h,g)})}else y&&!A.
getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),y&&l.componentDidMount&&l.__h.push(l.componentDidMount);
l.context=w,l.props=b,l.__P=e,l.__g&=-5,$e=v.__r,qe=y?25:0;do l.__g&=-9,$e&&$e(t),u=l.render(l.props,l.state=l.__s,l.context);while(8&
l.__g&&++qe<25);y&&(he.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(r=j({},r,l.getChildContext())),
y&&n.__c&&l.getSnapshotBeforeUpdate&&(g=l.getSnapshotBeforeUpdate(m,h)),le=u&&u.type===C&&u.key==null?u.props.children:u,
b.__P&&(u=s,a=(e=b.__P).namespaceURI,c=i=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&Ie(B,B)}),n.__k=null),
s=n.__k?J(n,0):null),s=at(e,Be(le)?le:[le],t,n,r,a,i,d,s,c,p),b.__P&&(t.__e=null,s=u),t.__u&=-161,_&&_.some(V),l.__h.length&&
d.push(l),1&l.__g&&(l.__g&=-4)}catch(B){if(d.length=f,t.__v=null,c||i)if(B&&B.then){if(t.__u|=128|c,i){for(~(H=i.indexOf(
s||void 0))||(H=i.length);(z=i[H-1])&&z.nodeType==8;)H--;for(;H<i.length;H++)if(z=i[H])if(i[H]=null,W){if(z==Ge)break}else{
if(z.nodeType!=8)break;z.data.startsWith("$s")&&(Ge=pe(W=z))}}if(!W){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;
W=s}(u=pe(W=t.__c.__z||(t.__c.__z=W)))?(t.__e=W,s=u):t.__e=s,s=s&&s.nextSibling}else i&&i.some(V);else t.__e=n.__e;t.__k||
(t.__k=n.__k||[]),B&&B.then||st(t),v.__e(B,t,n)}}else s=t.__e=an(n.__e,t,n,r,a,i,d,c,p,e);return(u=v.diffed)&&u(t),s}function pe(e,t){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))
n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function st(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.
some(st))}function lt(e,t,n){for(var r=0;r<n.length;)Pe(n[r++],n[r++],n[r++]);v.__c&&v.__c(t,e),e.some(function(a){try{e=
a.__h,a.__h=[],e.some(function(i){i.call(a)})}catch(i){v.__e(i,a.__v)}})}function an(e,t,n,r,a,i,d,s,c,p){var u,_,f,l,m,
h,g,b,y=n.props||_e,S=t.props,w=t.type;if(w=="svg"?a="http://www.w3.org/2000/svg":w=="math"?a="http://www.w3.org/1998/Ma\
th/MathML":a||(a="http://www.w3.org/1999/xhtml"),i){for(u=0;u<i.length;u++)if((m=i[u])&&(w?m.localName==w:m.nodeType==3)){
e=m,i[u]=null;break}}if(!e){if(b=p.ownerDocument||document,!w)return b.createTextNode(S);e=b.createElementNS(a,w,S.is?S:
p),s&&(v.__m&&v.__m(t,i),s=!1),i=null}if(w){if(p=w=="template"&&e.content||e,i=w=="textarea"&&S.defaultValue!=null?null:
i&&nt.call(p.childNodes),!s&&i)for(y={},u=0;u<e.attributes.length;u++)y[(m=e.attributes[u]).name]=m.value;for(u in y)m=y[u],
u=="dangerouslySetInnerHTML"?f=m:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in
S||de(e,u,null,m,a);for(u in S)m=S[u],u=="children"?l=m:u=="dangerouslySetInnerHTML"?_=m:u=="value"?h=m:u=="checked"?g=m:
s&&typeof m!="function"||y[u]===m||de(e,u,m,y[u],a);_?(s||f&&(_.__html==f.__html||_.__html==e.innerHTML)||(e.innerHTML=_.
__html),t.__k=[]):(f&&(e.textContent=""),(w=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&en.test(w))&&(a="\
http://www.w3.org/1999/xhtml"),at(p,Be(l)?l:[l],t,n,r,a,i,d,i?i[0]:n.__k&&J(n,0),s,c),i&&i.some(V)),s&&w!="textarea"||(u=
"value",w=="progress"&&h==null?e.removeAttribute(u):h==null||h===e[u]&&(w!="progress"||h)||de(e,u,h,y[u],a),u="checked",
g!=null&&g!=e[u]&&de(e,u,g,y[u],a))}else y===S||s&&e.data==S||(e.data=S);return e}function Pe(e,t,n,r){try{typeof e=="fu\
nction"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
v.__e(a,n)}}function Ie(e,t,n){var r,a,i,d;if(v.unmount&&v.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Pe(r,null,
t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(s){v.__e(s,t)}r.__P=r.__n=null}if(r=e.__k)for(d=
0;d<r.length;d++)r[d]&&Ie(r[d],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(a=pe(r,i=[]))&&(r==
e.__e&&i.some(V),V(a),V(r)),n||V(e.__e),e.__e=e.__c=e.__=null}function sn(e,t,n){return this.constructor(e,n)}function dt(e,t){
var n,r,a,i;v.__&&v.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ce(C,{children:[e]}),
a=[],i=[],Me(t,t.__k,r||_e,_e,t.namespaceURI,r?null:t.firstChild?nt.call(t.childNodes):null,a,r?r.__e:t.firstChild,n,i),
lt(a,t.__k,i),t.__k.props.children=null}v={__e:function(e,t,n,r){for(var a,i,d;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((d=(i=a.constructor)&&i.getDerivedStateFromError)&&
a.setState(i.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,r||{}),d=1),d&&8&a.__g)return void(a.
__g|=2)}catch(s){e=s}}throw me=0,e}},Ye=0,Zt=function(e){return e!=null&&e.constructor===te},fe.prototype.setState=function(e,t){
var n=this.__s;n&&n!=this.state||(n=this.__s=j({},this.state)),typeof e=="function"&&(e=e(j({},n),this.props)),e&&(j(n,e),
this.__v&&(t&&this.__k.push(t),Qe(this)))},fe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(
e),Qe(this))},fe.prototype.render=C,U=[],me=0,et=function(e,t){return e.__v.__b-t.__v.__b},ue=Symbol(),tt=/(PointerCapture)$|Capture$/i,
Re=0,Ee={},Yt=0;var G,T,Ae,ut,Oe=Object.is,re=0,vt=[],De=[],k=v,ct=k.__b,ft=k.__r,pt=k.diffed,mt=k.__c,_t=k.unmount,ht=k.__;function ge(e,t){
k.__h&&k.__h(T,e,re||t),re=0;var n=T.__H||(T.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function x(e){
return re=1,ln(xt,e)}function ln(e,t,n){var r=ge(G++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):xt(void 0,t),function(i){var d=(r.
__N||r.__)[0],s=r.t(d,i);Oe(d,s)||(r.__N=[s,r.__[1]],r.__c.setState({}))}],r.__c=T,!T.__f)){T.__f=!0;var a=T.shouldComponentUpdate;
T.shouldComponentUpdate=function(i,d,s){var c=this.__H;if(!c)return!0;var p=!1,u=this.props!=i;if(c.__.some(function(f){
f.__N&&(p=!0,Oe(f.__[0],f.__N[0])||(u=!0))}),a){var _=a.call(this,i,d,s);return p?_||u:_}return!p||u}}return r.__}function $(e,t){
var n=ge(G++,3);!k.__s&&He(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,T.__H.__h.push(n))}function bt(e,t){var n=ge(G++,4);!k.__s&&
He(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,T.__h.push(n))}function O(e){return re=5,oe(function(){return{current:e}},[])}function oe(e,t){var n=ge(G++,7);return He(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function wt(e,t){return re=8,oe(function(){
return e},t)}function dn(){var e;do{for(;e=De.shift();)try{ne(e)}catch(n){k.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=vt.shift();){var t=e.
__H;if(e.__P&&t)try{t.__h.some(ne),t.__h.some(Le),t.__h=[]}catch(n){t.__h=[],k.__e(n,e.__v)}}}while(De.length)}k.__b=function(e){
T=null,ct&&ct(e)},k.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ht&&ht(e,t)},k.__r=function(e){ft&&ft(e),G=0;
var t=(T=e.__c).__H;t&&(Ae==T?T.__h=[]:(t.__h.some(ne),t.__h.some(Le),G=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.
__N),n.u=n.__N=void 0})),Ae=T},k.diffed=function(e){pt&&pt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&yt(vt.push(t)),t.
__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ae=T=null},k.__c=function(e,t){t.some(function(n){try{n.__h.some(ne),n.__h=n.
__h.filter(function(r){return!r.__||Le(r)})}catch(r){n.__h=[function(){throw r}]}}),mt&&mt(e,t)},k.unmount=function(e){_t&&
_t(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,yt(De.push(a))}else ne(a)}catch(i){t=i}}),r.__H=void 0,t&&k.__e(t,r.__v))};var gt=typeof requestAnimationFrame==
"function";function un(e){var t,n=function(){clearTimeout(r),gt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);
gt&&(t=requestAnimationFrame(n))}function yt(e){e!=1&&ut==k.requestAnimationFrame||((ut=k.requestAnimationFrame)||un)(dn)}
function ne(e){var t=T,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),T=t}function Le(e){var t=T;e.__c=e.__(),T=t}function He(e,t){
return!e||e.length!=t.length||t.some(function(n,r){return!Oe(n,e[r])})}function xt(e,t){return typeof t=="function"?t(e):
t}var K=class{#e;#t=new Set;constructor(t){this.#e=t}get value(){return this.#e}set(t){this.#e=t;for(let n of this.#t)n(t)}watch(t){
return this.#t.add(t),()=>{this.#t.delete(t)}}};function ye(e){let[t,n]=x(e.value);return $(()=>(n(e.value),e.watch(n)),
[e]),t}var P=class extends Error{status;body;constructor(t,n){super(typeof n.error=="string"?n.error:`the server answered ${t}`),
this.status=t,this.body=n}},Je=class extends Error{constructor(){super("the server does not answer")}},{prefix:cn="",server:fn=""}=document.
body.dataset,be=fn,D=new K({kind:"unknown"}),ve=new K(new Map);function pn(e){return`${cn}${e}`}async function we(e,t={}){
let n=await Q(e,t);if(!(n instanceof P))return n;let r=n.status===401,a=n.status===403&&n.message.includes("x-agentrt-cs\
rf");if(!r&&!a)throw n;if(r?await Z("The session is over. Sign in again."):await St()){let i=await Q(e,t);if(!(i instanceof
P))return i;throw i}throw n}async function Q(e,t){let{method:n="GET",body:r,headers:a,signal:i}=t,d=D.value,c=n!=="GET"&&
d.kind==="in"?{"x-agentrt-csrf":d.session.csrf_token}:{},p=r===void 0?{}:{"content-type":"application/json"},u,_;try{u=await fetch(
pn(e),{method:n,headers:{...p,...c,...a},credentials:"same-origin",cache:"no-store",redirect:"error",...r===void 0?{}:{body:JSON.
stringify(r)},...i===void 0?{}:{signal:i}}),_=await u.text()}catch(l){throw i?.aborted===!0?l:(Fe(e,"no answer"),new Je)}
let f=mn(_);return Fe(e,u.status>=500?`answers ${u.status}`:void 0),u.ok?{status:u.status,body:f}:new P(u.status,f??{})}
function mn(e){try{return e===""?void 0:JSON.parse(e)}catch{return{error:e.slice(0,200)}}}function Fe(e,t){let n=e.replace(
/\?.*$/s,""),{value:r}=ve;if(r.get(n)===t)return;let a=new Map(r);t===void 0?a.delete(n):a.set(n,t),ve.set(a)}function kt(e){
Fe(e,void 0)}var Ue;async function Z(e=""){return Ue??=_n(e).finally(()=>{Ue=void 0}),await Ue}async function St(){let e=await Q(
"/console/session",{});return e instanceof P||e.body.session===null?!1:(D.set({kind:"in",session:e.body.session}),!0)}async function _n(e){
if(D.value.kind==="in")await Q("/console/session",{method:"DELETE"});else if(await St())return!0;let t=await Xe({});if(t===
void 0)return!0;let n=t.status===401?e:t.message;return D.set({kind:"out",notice:n}),!1}async function Xe(e){let t=await Q(
"/console/session",{method:"POST",headers:e});if(t instanceof P)return t;let{session:n}=t.body;if(n===null)return new P(
401,{error:"no session came"});D.set({kind:"in",session:n})}async function Tt(){try{await Q("/console/session",{method:"\
DELETE"})}catch{}D.set({kind:"out",notice:"You are signed out."})}function Ct(e){let{value:t}=D;return t.kind==="in"&&(t.
session.scopes?.includes(e)??!0)}function xe(e){let t=Math.abs(e);return t<1?`${Math.round(t*1e3)} ms`:t<60?`${t<10?Math.round(t*10)/10:Math.round(t)} s`:
t<3600?`${Math.round(t/60)} min`:t<86400?`${Math.round(t/360)/10} h`:`${Math.round(t/8640)/10} d`}function q(e){let t=Date.
now()/1e3-e;return t<1?"now":`${xe(t)} ago`}function $t(e){let t=e-Date.now()/1e3;return t<=0?"over":`in ${xe(t)}`}function Nt(e){
let t=new Date(e*1e3);if(Number.isNaN(t.getTime()))return String(e);let n=(i,d=2)=>String(i).padStart(d,"0"),r=`${t.getFullYear()}\
-${n(t.getMonth()+1)}-${n(t.getDate())}`,a=`${n(t.getHours())}:${n(t.getMinutes())}:${n(t.getSeconds())}`;return`${r} ${a}\
.${n(t.getMilliseconds(),3)}`}function Y(e){return e===0?"$0":e<.01?`$${e.toFixed(5)}`:`$${e.toFixed(2)}`}function R(e){
return String(Math.round(e)).replaceAll(/\B(?=(\d{3})+$)/g," ")}function Et(e){return JSON.stringify(e,null,2)??""}function L(e){
return typeof e=="string"?e:JSON.stringify(e)??""}function ke(e){return Object.entries(e).map(([t,n])=>`${t}=${L(n)}`).join(
" ")}function ae(e,t,n=`${t}s`){return`${R(e)} ${e===1?t:n}`}var hn=Symbol.for("pv"),gn=0;function o(e,t,n,r,a,i){t||(t={});var d,s,c=t;if("ref"in c&&typeof e!="function")for(s in c={},t)s=="ref"?d=t[s]:c[s]=t[s];
var p={type:e,props:c,key:n,ref:d,__k:null,__:null,__b:0,__e:null,__c:null,constructor:hn,__v:--gn,__i:-1,__u:0};return(a||
i)&&(p.__source=a,p.__self=i),v.vnode&&v.vnode(p),p}var yn={RUNNING:["●","good"],INITIALIZING:["◔","wait"],SUSPENDED:["❚❚","wait"],STOPPING:["◑","wait"],STOPPED:[
"○","dull"],CRASHED:["✖","bad"],pending:["◔","wait"],approved:["✔","good"],denied:["✖","bad"],expired:["○","\
dull"]};function ie(e){let{status:t,isBelow:n=!1}=e,[r,a]=yn[t]??["◌","dull"];return o("span",{class:`status ${a}`,children:[
o("span",{class:"mark","aria-hidden":"true",children:r}),t,n?" below":""]})}function F({at:e}){return o("time",{title:Nt(
e),children:q(e)})}function I(e){return o("section",{class:e.isWide===!0?"panel wide":"panel",children:[o("header",{children:[
o("h2",{children:e.title}),e.extra]}),e.children]})}function ee(e){return o("dl",{class:"facts",children:e.facts.map(([t,
n])=>o("div",{children:[o("dt",{children:t}),o("dd",{children:n})]},t))})}function Rt({value:e,label:t}){return o("pre",
{class:"code",tabIndex:0,role:"region","aria-label":t,children:Et(e)})}function E({children:e}){return o("p",{class:"not\
hing",children:e})}function X({refusal:e}){return e===void 0?null:o("p",{class:"refused",role:"alert",children:e.message})}
function se(e){return o("div",{class:"scroll",tabIndex:0,role:"region","aria-label":e.label,children:o("table",{children:[
o("thead",{children:o("tr",{children:e.columns.map(({name:t,isNumber:n})=>o("th",{scope:"col",class:n===!0?"number":"",children:t},
t))})}),o("tbody",{children:e.rows.map((t,n)=>o("tr",{children:e.columns.map(({name:r,show:a,isNumber:i})=>o("td",{"data\
-name":r,class:i===!0?"number":"",children:a(t)},r))},e.keyOf(t,n)))})]})})}function Bt({question:e,onClose:t}){let n=O(
null),[r,a]=x(""),[i,d]=x(!1),[s,c]=x("");$(()=>{let m=document.activeElement;return n.current?.showModal(),()=>{m instanceof
HTMLElement&&m.focus()}},[]);let p=async()=>{d(!0),c("");try{await e.act(r.trim()),t()}catch(m){c(m instanceof Error?m.message:
String(m)),d(!1)}},{title:u,verb:_,asksFor:f,isDangerous:l=!1}=e;return o("dialog",{ref:n,onClose:t,"aria-labelledby":"q\
uestion",children:o("form",{onSubmit:m=>{m.preventDefault(),i||p()},children:[o("h2",{id:"question",children:u}),o("div",
{class:"text",children:e.text}),f===void 0?null:o("label",{children:[f,o("input",{value:r,onInput:m=>a(m.currentTarget.value)})]}),
s===""?null:o("p",{class:"refused",role:"alert",children:s}),o("div",{class:"buttons",children:[o("button",{type:"button",
onClick:t,children:"Cancel"}),o("button",{class:l?"danger":"primary",disabled:i,children:_})]})]})})}function Se({children:e}){
let t=O(null);return $(()=>t.current?.focus({preventScroll:!0}),[]),o("h1",{ref:t,tabIndex:-1,children:e})}function Mt(e){let{agent:t}=e,[n,r]=x();if(!Ct("operate"))return null;let a=(s,c)=>async()=>{await we(`/agents/${encodeURIComponent(
t.name)}/${s}`,{method:"POST",body:c}),e.onDone()},i=s=>async c=>await a(s,c===""?{}:{reason:c})(),d=[{title:`Suspend ${t.
name}?`,text:o("p",{children:"It finishes the message at hand and then waits. What comes meanwhile is kept."}),verb:"Sus\
pend",asksFor:"Reason",act:i("suspend"),isThere:t.suspension===null},{title:`Drain ${t.name}?`,text:o("p",{children:"It \
handles what waits, takes nothing new, and is suspended then."}),verb:"Drain",asksFor:"Reason",act:i("drain"),isThere:t.
suspension===null&&t.draining===void 0},{title:`Resume ${t.name}?`,text:o("p",{children:"It goes on with the messages th\
at wait."}),verb:"Resume",act:a("resume",{}),isThere:t.suspension!==null||t.draining!==void 0},{title:`Restart ${t.name}\
?`,text:o("p",{children:["A new object takes its place."," ",t.at_hand.length===0?"No message is":`${t.at_hand.length} a\
t hand get time to end, and are lost then;`," ",t.mailbox.depth," waiting are kept."]}),verb:"Restart",isDangerous:!0,asksFor:"\
Reason",act:i("restart"),isThere:!0}];return o("div",{class:"actions",children:[d.filter(({isThere:s})=>s).map(s=>o("but\
ton",{class:s.isDangerous===!0?"danger":"",onClick:()=>r(s),children:s.verb},s.verb)),n===void 0?null:o(Bt,{question:n,onClose:()=>r(
void 0)})]})}function It({counters:e}){let t=Object.entries(e.models),n=[["Handled",R(e.messages_handled)],["Sent",R(e.messages_sent)],
["Mean time",`${Math.round(e.avg_latency_ms*10)/10} ms`],["Errors",R(e.errors)],["Tokens in / out",`${R(e.tokens_in)} / ${R(
e.tokens_out)}`],["Cost",Y(e.cost_usd)]];return o(C,{children:[o(ee,{facts:n}),t.length===0?null:o(se,{label:"Use of mod\
els",rows:t,keyOf:([r])=>r,columns:[{name:"Model",show:([r])=>r},{name:"Calls",show:([,r])=>R(r.calls),isNumber:!0},{name:"\
Tokens",show:([,r])=>R(r.tokens_in+r.tokens_out),isNumber:!0},{name:"Cost",show:([,r])=>`${Y(r.cost_usd)}${r.unpriced_calls>
0?` and ${r.unpriced_calls} calls without a price`:""}`,isNumber:!0}]})]})}function At({budgets:e}){return e.length===0?
null:o("ul",{class:"budgets","aria-label":"Budgets",children:e.flatMap(t=>[o(Pt,{budget:t,unit:"usd"},`${t.name} usd`),o(
Pt,{budget:t,unit:"tokens"},`${t.name} tokens`)])})}function Pt({budget:e,unit:t}){let n=t==="usd"?e.limit_usd:e.limit_tokens;
if(n===null)return null;let r=t==="usd"?e.spent_usd+e.reserved_usd:e.spent_tokens+e.reserved_tokens,a=t==="usd"?Y:c=>`${R(
c)} tokens`,i=n===0?1:Math.min(1,r/n),d=e.frees_at===null?"":`, free again ${$t(e.frees_at)}`,s=`${a(r)} of ${a(n)} per ${e.
per}${d}`;return o("li",{children:[o("span",{children:s}),o("meter",{min:0,max:1,high:.9,value:i,"aria-label":s})]})}var We=new K(Ot());addEventListener("hashchange",()=>We.set(Ot()));function Ot(){let[e="",t=""]=location.hash.replace(/^#\/?/,
"").split("/",2);return{page:e===""?"tree":e,about:vn(t)}}function vn(e){try{return decodeURIComponent(e)}catch{return e}}
function N(e,t=""){return t===""?`#/${e}`:`#/${e}/${encodeURIComponent(t)}`}function Dt({lines:e}){return e===void 0||e.length===0?o(E,{children:e===void 0?"…":"No line yet."}):o("ol",{class:"lo\
g",tabIndex:0,"aria-label":"Log lines, latest first",children:e.toReversed().map((t,n)=>o(bn,{line:t},e.length-n))})}function bn({
line:e}){let{agent:t,time:n,level:r,message:a,traceId:i,spanId:d,...s}=e,c=typeof i=="string"?i:"";return o("li",{class:L(
r),children:[o("time",{children:L(n).replace("T"," ").replace("Z","")})," ",o("b",{children:L(r)})," ",L(a)," ",o("span",
{class:"fields",children:ke(s)})," ",c===""?null:o("a",{href:N("traces",c),children:["trace ",c.slice(0,8)]})]})}var wn=20,xn=3e4;function M(e,t,n){let[r,a]=x({data:void 0,refusal:void 0}),i=O(()=>{}),d=O(n);d.current=n,$(()=>{if(e===
void 0)return;let p=new ze({path:e,everyMs:t,next:u=>d.current?.(u)});return p.onAnswer=u=>a({data:u,refusal:void 0,of:e}),
p.onRefusal=u=>a(_=>({data:_.of===e&&u.status!==404?_.data:void 0,refusal:u,of:e})),i.current=()=>p.askNow(),p.askNow(),
()=>p.end()},[e,t]);let s=wt(()=>i.current(),[]),c=r.of===e;return{data:c?r.data:void 0,refusal:c?r.refusal:void 0,refresh:s}}
var ze=class{#e;#t;#s;#n=new AbortController;#r;#o=!1;#a=!1;#i;onAnswer=()=>{};onRefusal=()=>{};constructor(t){this.#e=t.
path,this.#t=t.everyMs,this.#s=t.next,document.addEventListener("visibilitychange",()=>this.#d(),{signal:this.#n.signal})}askNow(){
if(this.#o){this.#a=!0;return}clearTimeout(this.#r),this.#l()}end(){this.#n.abort(),clearTimeout(this.#r),kt(this.#e)}#d(){
document.visibilityState==="visible"&&this.askNow()}async#l(){let t=performance.now();if(this.#o=!0,await this.#u(),this.#o=
!1,this.#n.signal.aborted)return;let n=performance.now()-t,r=Math.max(this.#t,Math.min(xn,wn*n)),a=this.#a;this.#a=!1,(document.
visibilityState==="visible"||a)&&(this.#r=setTimeout(()=>{this.#l()},a?0:r))}async#u(){let{signal:t}=this.#n,n=(this.#i===
void 0?void 0:this.#s(this.#i))??this.#e;try{let{status:r,body:a}=await we(n,{signal:t});if(t.aborted||r===204)return;this.#i=
a,this.onAnswer(a)}catch(r){!t.aborted&&r instanceof P&&this.onRefusal(r)}}};function Lt({name:e}){let t=`/agents/${encodeURIComponent(e)}`,n=M(t,1500),{data:r,refusal:a}=n;return o("main",{class:"\
page",id:"main",children:[o("div",{class:"bar",children:[o("p",{class:"crumbs",children:[o("a",{href:N("tree"),children:"\
Tree"})," ",o("span",{"aria-hidden":"true",children:"/"})]}),o(Se,{children:e}),r===void 0?null:o(ie,{status:r.status}),
r===void 0?null:o(Mt,{agent:r,onDone:n.refresh})]}),o(X,{refusal:a}),r===void 0?a===void 0?o(E,{children:"Loading…"}):
null:o("div",{class:"panels",children:[o(kn,{agent:r}),o(Tn,{agent:r}),o(Cn,{agent:r}),r.kind==="keyed"?o($n,{name:e}):null,
o(Nn,{base:t}),o(En,{name:e}),o(Rn,{base:t}),o(Bn,{base:t}),o(Mn,{base:t})]})]})}function kn({agent:e}){let{mailbox:t,at_hand:n,
waits_for:r,listeners:a=[],placement:i={}}=e,d=[["Class",e.class===null?e.kind:`${e.class} (${e.kind})`],["Process",e.process_id],
["Up",xe(e.uptime_seconds)],["Restarts",e.restart_count],["Waiting",t.oldest_timestamp===null?t.depth:`${t.depth}, the o\
ldest for ${q(t.oldest_timestamp).replace(" ago","")}`],["Model turns",e.session_turn_count]];e.capabilities.length>0&&d.
push(["Capabilities",e.capabilities.join(", ")]),r!==void 0&&d.push(["Waits for",o(C,{children:[`the ${r.kind} ${r.name}\
, since `,o(F,{at:r.since})]})]),e.waits_for_state===!0&&d.push(["Waits for","the state store"]);for(let{protocol:s,host:c,
port:p}of a)d.push(["Listens",`${s} ${c}:${p}`]);for(let[s,c]of Object.entries(i))d.push([`On ${s}`,c]);return o(I,{title:"\
Now",children:[o(ee,{facts:d}),n.length===0?o(E,{children:"No message is at hand."}):o(se,{label:"Messages at hand",rows:n,
keyOf:({id:s})=>s,columns:[{name:"At hand",show:({type:s})=>s},{name:"From",show:({sender:s})=>o(Ht,{name:s})},{name:"Si\
nce",show:({since:s})=>o(F,{at:s})},{name:"Attempt",show:({attempt:s})=>s+1,isNumber:!0},{name:"Trace",show:({trace_id:s})=>o(
Sn,{id:s})}]})]})}function Ht({name:e}){return e===""?o("span",{class:"dull",children:"outside"}):o("a",{href:N("agents",
e),children:e})}function Sn({id:e}){return e===""?o(C,{}):o("a",{href:N("traces",e),children:e.slice(0,8)})}function Tn({
agent:e}){let{suspension:t,draining:n,approvals:r=[]}=e;if(t===null&&n===void 0)return null;let a=[];n!==void 0&&a.push(
["Draining",n.reason],["By",n.initiated_by],["Since",o(F,{at:n.since})]),t!==null&&a.push([t.halted===!0?"Halted":"Reaso\
n",t.reason],["Category",t.category],["By",t.initiated_by??"unknown"],["Since",o(F,{at:t.since})],["Survives a restart",
t.durable?"yes":"no"]);for(let i of r)a.push(["Waits for",o("a",{href:N("approvals",i),children:["approval ",i]})]);return o(
I,{title:t===null?"Draining":"Suspended",children:o(ee,{facts:a})})}function Cn({agent:e}){let{last_crash:t}=e;return t===
null?null:o(I,{title:"Last crash",extra:o("a",{href:N("crashes",t.id),children:"Details"}),children:o(ee,{facts:[["When",
o(F,{at:t.timestamp})],["Reason",t.reason],["Message",t.message],["At",t.at??"unknown"]]})})}function $n({name:e}){let[t,
n]=x("");return o(I,{title:"Key",children:o("form",{class:"line",onSubmit:r=>{r.preventDefault(),location.hash=N("agents",
`${e}/${t}`)},children:[o("label",{children:["Key that has an object",o("input",{required:!0,value:t,onInput:r=>n(r.currentTarget.
value)})]}),o("button",{children:"Show"})]})})}function Nn({base:e}){let{data:t,refusal:n}=M(`${e}/mailbox?limit=50`,2e3),
r=t?.depth??0;return o(I,{title:"Mailbox",extra:o("span",{class:"dull",children:r===0?"":`${r} wait`}),children:[o(X,{refusal:n}),
t===void 0||t.messages.length===0?o(E,{children:t===void 0?"…":"No message waits."}):o(se,{label:"Messages that wait",
rows:t.messages,keyOf:({id:a})=>a,columns:[{name:"Type",show:({type:a})=>a},{name:"From",show:({sender:a})=>o(Ht,{name:a})},
{name:"Sent",show:({timestamp:a})=>o(F,{at:a})},{name:"Priority",show:({priority:a})=>a,isNumber:!0}]})]})}function En({
name:e}){let{data:t}=M(`/snapshot?agent=${encodeURIComponent(e)}`,3e3),n=t?.agents[e],r=(t?.budgets??[]).filter(a=>a.name===
e);return o(I,{title:"Work, cost and budget",children:[n===void 0?o(E,{children:"Nothing is counted yet."}):o(It,{counters:n}),
o(At,{budgets:r})]})}function Rn({base:e}){let{data:t,refusal:n}=M(`${e}/state`,4e3);return o(I,{title:"State",extra:o("\
span",{class:"dull",children:"without secrets"}),children:[o(X,{refusal:n}),t===void 0?null:t.state===null?o(E,{children:"\
There is no object of it."}):o(Rt,{value:t.state,label:"State"})]})}function Bn({base:e}){let{data:t,refusal:n}=M(`${e}/\
history`,3e3),r=(t?.history??[]).toReversed();return o(I,{title:"History",children:[o(X,{refusal:n}),r.length===0?o(E,{children:t===
void 0?"…":"Nothing yet."}):o("ol",{class:"history",tabIndex:0,"aria-label":"History, latest first",children:r.map(({event:a,
timestamp:i,...d},s)=>o("li",{children:[o(F,{at:Number(i)})," ",o("b",{children:L(a)})," ",o("span",{class:"fields",children:ke(
d)})]},`${L(i)}-${s}`))})]})}function Mn({base:e}){let{data:t,refusal:n}=M(`${e}/logs?limit=200`,2e3);return o(I,{title:"\
Logs",isWide:!0,children:[o(X,{refusal:n}),o(Dt,{lines:t?.lines})]})}var Pn=[["key","API key"],["token","Token (JWT)"],["header","Other header"]];function Ut({notice:e}){let[t,n]=x("key"),[
r,a]=x("X-"),[i,d]=x(""),[s,c]=x(""),[p,u]=x(!1),_=async()=>{u(!0),c("");let f=i.trim();try{let l=await Xe(An(t,f,r.trim()));
l!==void 0&&c(l.message)}catch(l){c(l instanceof Error?l.message:String(l))}u(!1)};return o("main",{class:"sign-in",children:o(
"form",{onSubmit:f=>{f.preventDefault(),_()},children:[o("h1",{children:[o("span",{class:"brand",children:"agentrt"})," \
console of ",be]}),e===""?null:o("p",{role:"status",children:e}),o("fieldset",{children:[o("legend",{children:"Sign in w\
ith"}),Pn.map(([f,l])=>o("label",{class:"choice",children:[o("input",{type:"radio",name:"way",checked:t===f,onChange:()=>n(
f)}),l]},f))]}),t==="header"?o("label",{children:["Name of the header",o("input",{required:!0,pattern:"[xX]-[\\w\\-]+",title:"\
X- and letters, digits or dashes",value:r,onInput:f=>a(f.currentTarget.value)})]}):null,o("label",{children:[In[t],o("in\
put",{type:"password",autocomplete:"off",spellcheck:!1,required:!0,value:i,onInput:f=>d(f.currentTarget.value)})]}),s===
""?null:o("p",{class:"refused",role:"alert",children:s}),o("div",{class:"buttons",children:[o("button",{type:"button",onClick:()=>{
Z("No certificate lets this browser in.")},children:"Use a certificate, or none"}),o("button",{class:"primary",disabled:p,
children:"Sign in"})]}),o("p",{class:"hint",children:"The key or token is sent to this server once. The browser keeps a \
cookie that ends after 30 minutes without use, after 12 hours, and with the token."})]})})}var In={key:"Key",token:"Toke\
n",header:"Value"};function An(e,t,n){switch(e){case"key":return{"x-api-key":t};case"token":return{authorization:`Bearer\
 ${t}`};case"header":return{[n]:t,"x-agentrt-credential-header":n}}}var Jt="agentrt-console-theme",Te=["auto","light","dark"],On={auto:"◐ Auto",light:"☀ Light",dark:"☾ Dark"};function Ft(){
let[e,t]=x(Dn());$(()=>{document.documentElement.dataset.theme=e;try{localStorage.setItem(Jt,e)}catch{}},[e]);let n=Te[(Te.
indexOf(e)+1)%Te.length]??"auto";return o("button",{onClick:()=>t(n),"aria-label":`Theme: ${e}. Change to ${n}`,children:On[e]})}
function Dn(){try{let e=localStorage.getItem(Jt);return Te.find(t=>t===e)??"auto"}catch{return"auto"}}var Ce=["CRASHED","STOPPED","STOPPING","SUSPENDED","INITIALIZING","RUNNING"];function Xt(e,t){let n=new Map,r=[],a=t.text!==
""||t.status!=="",i=(s,c)=>{let p="status"in s?s.status:void 0;p!==void 0&&s.type!=="dynamic_supervisor"&&n.set(p,(n.get(
p)??0)+1);let u="children"in s?s.children:[],_=a||!t.closed.has(s.name),f=r.length;r.push(void 0);let l=p===void 0?Ce.length-
1:Ln(p),m=0,h=!a||Hn(s.name,p,t);return u.forEach((g,b)=>{let y=r.length,S={position:b+1,siblingCount:u.length},w=i(g,{depth:c.
depth+1,...S});l=Math.min(l,w.worst),m+=1+w.below,h||=w.isShown,(!_||!w.isShown)&&(r.length=y)}),r[f]={...c,name:s.name,
kind:s.type,status:p??Ce[l]??"RUNNING",restartCount:s.restart_count,note:Un(s),belowCount:m,hasChildren:u.length>0,isOpen:_,
processId:s.process_id},{worst:l,below:m,isShown:h}},{isShown:d}=i(e,{depth:0,position:1,siblingCount:1});return{rows:d?
r:[],counts:n}}function Ln(e){let t=Ce.indexOf(e);return t===-1?Ce.length-1:t}function Hn(e,t,n){return e.toLowerCase().
includes(n.text.toLowerCase())?n.status===""?!0:t===void 0?!1:n.status==="not RUNNING"?t!=="RUNNING":t===n.status:!1}function Un(e){
switch(e.type){case"supervisor":return`${e.strategy}${e.crashes_in_window>0?`, ${ae(e.crashes_in_window,"crash","crashes")}\
 lately`:""}`;case"dynamic_supervisor":return`${e.live_count} of ${e.max_children??"any number"} children`;case"pool":return`${e.
busy_count} busy, ${e.min} to ${e.max} members, ${e.mailbox_depth} wait`;case"keyed":return`${e.resident_count} keys in \
memory, ${e.mailbox_depth} wait${e.failed_count>0?`, ${e.failed_count} refuse`:""}`;default:return[e.halted===void 0?"":
`halted by ${e.halted.initiated_by}`,e.approvals===void 0?"":"waits for an approval",e.halted===void 0&&e.approvals===void 0?
e.suspend_category??"":""].filter(t=>t!=="").join(", ")}}var Wt=8;function zt(e){let{rows:t,rowHeight:n}=e,r=O(null),[a,i]=x({top:0,height:600}),[d,s]=x(),c=O(!1);$(()=>Jn(r.current,
i),[]);let p=t.findIndex(h=>e.keyOf(h)===d),u=p===-1?0:p,_=Math.max(0,Math.floor(a.top/n)-Wt),f=Math.min(t.length,Math.ceil(
(a.top+a.height)/n)+Wt);bt(()=>{c.current&&(c.current=!1,r.current?.querySelector('[role="row"][tabindex="0"]')?.focus())});
let l=h=>{let g=t[Math.max(0,Math.min(t.length-1,h))];g!==void 0&&(c.current=!0,s(e.keyOf(g)),Fn(r.current,t.indexOf(g)*
n,n))},m=h=>{if(!(h.target instanceof HTMLElement&&h.target.role==="row")||h.ctrlKey||h.altKey||h.metaKey)return;let b=Xn(
h.key,{activeIndex:u,rowCount:t.length,view:a,rowHeight:n}),y=t[u];if(b!==void 0)l(b);else if(y===void 0||e.onKey?.(h.key,
y)!==!0)return;h.preventDefault()};return o("div",{class:"grid",role:e.role,"aria-label":e.label,"aria-rowcount":t.length+
1,"aria-colcount":e.columnCount,children:[e.head,o("div",{class:"rows",role:"rowgroup",ref:r,onKeyDown:m,children:o("div",
{class:"all",role:"presentation",style:{height:`${t.length*n}px`},children:t.slice(_,f).map((h,g)=>o("div",{role:"row",class:"\
row","aria-rowindex":_+g+2,tabIndex:_+g===u?0:-1,onFocus:()=>s(e.keyOf(h)),style:{top:`${(_+g)*n}px`,height:`${n}px`},...e.
about?.(h),children:e.show(h)},e.keyOf(h)))})})]})}function Jn(e,t){if(e===null)return()=>{};let n=()=>t({top:e.scrollTop,
height:e.clientHeight}),r=new ResizeObserver(n);return r.observe(e),e.addEventListener("scroll",n,{passive:!0}),n(),()=>{
r.disconnect(),e.removeEventListener("scroll",n)}}function Fn(e,t,n){e!==null&&(t<e.scrollTop?e.scrollTop=t:t+n>e.scrollTop+
e.clientHeight&&(e.scrollTop=t+n-e.clientHeight))}function Xn(e,t){let n=Math.max(1,Math.floor(t.view.height/t.rowHeight)-
1);switch(e){case"ArrowDown":return t.activeIndex+1;case"ArrowUp":return t.activeIndex-1;case"PageDown":return t.activeIndex+
n;case"PageUp":return t.activeIndex-n;case"Home":return 0;case"End":return t.rowCount-1;default:return}}var Wn=["not RUNNING","RUNNING","SUSPENDED","CRASHED","STOPPED","INITIALIZING"];function zn({revision:e}){return e===void 0?
"/topology":`/topology?since=${encodeURIComponent(e)}`}function jt(){let e=M("/topology",1500,zn),t=M("/overview",5e3),n=M(
"/health",5e3),[r,a]=x(""),[i,d]=x(""),[s,c]=x(new Set),p=oe(()=>new Map(t.data?.agents.map(f=>[f.name,f])),[t.data]),u=oe(
()=>e.data===void 0?void 0:Xt(e.data,{text:r,status:i,closed:s}),[e.data,r,i,s]),_=(f,l=!f.isOpen)=>{if(!f.hasChildren||
f.isOpen===l)return!1;let m=new Set(s);return l?m.delete(f.name):m.add(f.name),c(m),!0};return o("main",{class:"page fil\
l",id:"main",children:[o("div",{class:"bar",children:[o(Se,{children:"Tree"}),o("input",{type:"search","data-filter":!0,
"aria-label":"Names that contain",placeholder:"Filter by name ( / )",value:r,onInput:f=>a(f.currentTarget.value)}),o("se\
lect",{"aria-label":"Agents of status",value:i,onChange:f=>d(f.currentTarget.value),children:[o("option",{value:"",children:"\
any status"}),Wn.map(f=>o("option",{children:f},f))]}),o(Vn,{counts:u?.counts})]}),o(jn,{health:n.data,overview:t.data}),
o(X,{refusal:e.refusal}),u===void 0?e.refusal===void 0?o(E,{children:"Loading…"}):null:u.rows.length===0?o(E,{children:"\
No agent fits."}):o(qn,{rows:u.rows,figures:p,onToggle:_})]})}function Vn({counts:e}){if(e===void 0)return null;let t=[...e.
values()].reduce((n,r)=>n+r,0);return o("p",{class:"counts",role:"status",children:[o("span",{children:ae(t,"agent")}),[
...e].map(([n,r])=>o("span",{children:[o(ie,{status:n})," ",R(r)]},n))]})}function jn(e){let t=e.health===void 0?[]:Kn(e.
health);for(let{name:n,since:r}of e.overview?.models_silent??[])t.push(`the model ${n} has answered nobody since ${q(r)}`);
for(let{name:n}of e.overview?.budgets_used_up??[])t.push(`the budget of ${n} is used up`);return t.length===0?null:o("ul",
{class:"notices","aria-label":"What is wrong",children:t.map(n=>o("li",{children:[o("span",{"aria-hidden":"true",children:"\
▲"})," ",n]},n))})}function Kn(e){let{approvals:t,halted:n=[],leader:r}=e,a=[];if(e.status==="degraded"){e.failed.length>
0&&a.push(`given up: ${e.failed.join(", ")}`),e.state!==void 0&&a.push(`no state is saved: ${e.state.reason}`);for(let i of e.
workers_away??[])a.push(`no worker for ${i}`);for(let i of e.workers_silent??[])a.push(`the worker ${i} is silent`);e.audit!==
void 0&&a.push(`no audit: ${e.audit.reason}`)}r!==void 0&&a.push(`this supervisor waits: ${r} leads`);for(let i of n)a.push(
`${i} is halted by an eval agent`);return t!==void 0&&t.pending>0&&a.push(`${ae(t.pending,"approval")} to be decided`),a}
var Vt=["Name","Status","Kind","Mailbox","At hand","Restarts","Cost","Notes"];function qn(e){let t=r=>Ve(r)?e.onToggle(r):
(location.hash=N("agents",r.name),!0),n=(r,a)=>r==="ArrowRight"?e.onToggle(a,!0):r==="ArrowLeft"?e.onToggle(a,!1):r==="E\
nter"||r===" "?t(a):!1;return o(zt,{label:"Agents and supervisors",role:"treegrid",rows:e.rows,rowHeight:34,columnCount:Vt.
length,keyOf:r=>r.name,onKey:n,about:r=>({"aria-level":r.depth+1,"aria-posinset":r.position,"aria-setsize":r.siblingCount,
...r.hasChildren?{"aria-expanded":r.isOpen}:{}}),head:o("div",{role:"rowgroup",class:"tree head",children:o("div",{role:"\
row",class:"row","aria-rowindex":1,children:Vt.map(r=>o("div",{role:"columnheader",class:`cell col-${r.toLowerCase().replace(
" ","-")}`,children:r},r))})}),show:r=>o(Gn,{row:r,figures:e.figures.get(r.name),onToggle:e.onToggle})})}function Ve({kind:e}){
return e==="supervisor"||e==="dynamic_supervisor"}function Gn(e){let{row:t,figures:n}=e,r=(d,s)=>o("div",{role:"gridcell",
class:`cell col-${d}`,children:s}),a=n?.waits_for,i=n?.at_hand;return o(C,{children:[o("div",{role:"gridcell",class:"cel\
l col-name",style:{paddingLeft:`${.25+Math.min(t.depth,12)}rem`},children:[t.hasChildren?o("button",{class:"twist",tabIndex:-1,
"aria-label":`${t.isOpen?"Close":"Open"} ${t.name}`,onClick:()=>e.onToggle(t),children:t.isOpen?"▾":"▸"}):o("span",{
class:"twist"}),Ve(t)?o("span",{class:"group",children:t.name}):o("a",{href:N("agents",t.name),tabIndex:-1,children:t.name}),
t.hasChildren&&!t.isOpen?o("span",{class:"below",children:t.belowCount}):null]}),r("status",o(ie,{status:t.status,isBelow:Ve(
t)&&t.status!=="RUNNING"})),r("kind",t.kind.replace("_"," ")),r("mailbox",n===void 0?"":R(n.mailbox_depth)),r("at-hand",
i==null?"":q(i.since).replace(" ago","")),r("restarts",t.restartCount===0?"":t.restartCount),r("cost",n===void 0||n.cost_usd===
0?"":Y(n.cost_usd)),r("notes",a===void 0?t.note:`waits for the ${a.kind} ${a.name}`)]})}function qt(){let e=ye(D);return $(()=>{Z().catch(()=>setTimeout(Gt,2e3))},[]),e.kind==="in"?o(Qn,{session:e.session}):e.
kind==="out"?o(Ut,{notice:e.notice}):o("main",{class:"page",children:[o(Qt,{}),o(E,{children:"Loading…"})]})}function Gt(){
Z().catch(()=>setTimeout(Gt,2e3))}var je=[{name:"tree",label:"Tree",show:()=>o(jt,{})}];function Qn({session:e}){let{page:t,
about:n}=ye(We);$(()=>(document.addEventListener("keydown",Kt),()=>document.removeEventListener("keydown",Kt)),[]);let r=je.
find(({name:d})=>d===t)??je[0],a=t==="agents"&&n!=="",i=a?n:r?.label??"";return $(()=>{document.title=`${i} · ${be}: ag\
entrt console`},[i]),o(C,{children:[o("a",{class:"skip",href:"#main",onClick:Zn,children:"To the content"}),o("header",{
class:"top",children:[o("a",{class:"brand",href:N("tree"),children:"agentrt"}),o("nav",{"aria-label":"Pages",children:je.
map(({name:d,label:s})=>o("a",{href:N(d),"aria-current":!a&&d===r?.name?"page":void 0,children:s},d))}),o("div",{class:"\
who",children:[o("span",{title:`may: ${e.scopes?.join(", ")??"all"}`,children:[e.principal,e.scopes===null?"":` (${e.scopes.
join(", ")||"nothing"})`]}),o(Ft,{}),o("button",{onClick:()=>{Tt()},children:"Sign out"})]})]}),o(Qt,{}),a?o(Lt,{name:n},
n):r?.show(n)]})}function Zn(e){e.preventDefault(),document.querySelector("main h1")?.focus()}function Kt(e){let t=e.target instanceof
HTMLElement&&e.target.matches("input, textarea, select");if(e.key!=="/"||t||e.ctrlKey||e.metaKey||e.altKey)return;let n=document.
querySelector("[data-filter]");n!==null&&(e.preventDefault(),n.focus())}function Qt(){let e=[...ye(ve)];if(e.length===0)
return null;let t=e.every(([,r])=>r==="no answer"),n=e.slice(0,3).map(([r,a])=>`${r}: ${a}`);return o("p",{class:"banner",
role:"alert",children:[o("span",{"aria-hidden":"true",children:"▲"})," ",t?"The server does not answer. What you see i\
s what was known last; the page asks again.":n.join("; ")]})}var Ke=document.querySelector("#console");Ke!==null&&(Ke.replaceChildren(),dt(o(qt,{}),Ke));
