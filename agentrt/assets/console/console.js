/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */
var v,Ye,Zt,U,Ne,me,et,ue,tt,Re,Ee,Yt,te=Symbol.for("pv"),_e={},he=[],en=/^m(i|n|o|s|text|space)$/,Be=Array.isArray,nt=he.
slice,V=Object.assign;function j(e){e&&e.parentNode&&e.remove()}function ce(e,t,n,o,a){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:te,__v:a||
++Ye,__i:-1,__u:0};return!a&&v.vnode&&v.vnode(i),i}function C(e){return e.children}function fe(e,t){this.props=e,this.context=t,this.__g=0}function J(e,t){if(t==null)return e.
__&&J(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.
props.__P?null:J(e)}function tn(e){var t,n=e.__v,o=n.__e,a=[],i=[],l=e.__P;l&&((t=V({constructor:te},n)).__v=n.__v+1,v.vnode&&
v.vnode(t),Me(l,t,n,e.__n,l.namespaceURI,32&n.__u?[o]:null,a,o||J(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=t,lt(a,t,i),
n.__=n.__e=null,t.__e!=o&&ot(t))}function ot(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){
return t&&(e.__e=t.__e)}),ot(e)}function Qe(e){(8&e.__g||(e.__g|=8,U.push(e),me++))&&Ne==v.debounceRendering||((Ne=v.debounceRendering)||
queueMicrotask)(rt)}function rt(){try{for(var e,t=1;U.length;)U.length>t&&U.sort(et),e=U.shift(),t=U.length,8&e.__g&&tn(
e)}finally{(me=U.length)&&(Ne||queueMicrotask)(rt)}}function at(e,t,n,o,a,i,l,s,c,p,u){var _,f,d,m,h,g,b=o.__k||he,y=t.length;
for(c=nn(n,t,b,c,y),_=0;_<y;_++)(d=n.__k[_])!=null&&(f=~d.__i&&b[d.__i]||_e,d.__i=_,g=Me(e,d,f,a,i,l,s,c,p,u),m=d.__e,(f.
ref!=d.ref||8&f.__u)&&(f.ref&&Pe(f.ref,null,d,f),d.ref&&u.push(d.ref,d.__c||m,d)),h=h||m,4&d.__u?(c=it(d,c,e,!f.__v),f.__e&&
(f.__e=null)):typeof d.type=="function"&&g!==void 0?c=g:m&&(c=m.nextSibling),d.__u&=-21);return n.__e=h,c}function nn(e,t,n,o,a){
var i,l,s,c,p,u,_,f,d,m=n.length,h=m,g=0,b=0,y=e.__k=Array(a);for(i=0;i<a;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!=
"function"?(typeof l!="object"||l.constructor===String?l=y[i]=ce(null,l):Be(l)?l=y[i]=ce(C,{children:l}):l.constructor===
te&&l.__b?l=y[i]=ce(l.type,l.props,l.key,l.ref,l.__v):y[i]=l,c=i+g,l.__=e,l.__b=e.__b+1,s=null,~(p=l.__i=on(l,n,c,h))&&(h--,
(s=n[p])&&(s.__u|=2)),s&&s.__v?(l.__u|=16,p==c-1?g--:p==c+1?g++:p!=c&&(p>c?g--:g++,b=1)):(~p||(a>m?g--:a<m&&g++),typeof l.
type!="function"&&(l.__u|=4))):y[i]=null;if(b){for(u=[],_=[],i=0;i<a;i++)if((l=y[i])&&16&l.__u){for(g=0,f=u.length;g<f;)
u[d=g+f>>1]<l.__i?g=d+1:f=d;u[g]=l.__i,_[i]=g+1}for(g=u.length;i--;)_[i]&&(_[i]==g?g--:y[i].__u|=4)}if(h)for(i=0;i<m;i++)
!(s=n[i])||2&s.__u||(s.__e==o&&(o=J(s)),Ie(s,s));return o}function it(e,t,n,o){var a,i,l,s;if(typeof e.type=="function"){
if(e.props.__P)return t;if(a=e.__k)for(i=0;i<a.length;i++)a[i]&&(a[i].__=e,t=it(a[i],t,n,!1));return t}for(t&&!t.parentNode&&
(t=J(e))&&!t.parentNode&&(t=null),l=e.__e,s=t;s&&s.nodeType==8;)s=s.nextSibling;for(l!=s&&(!o&&n.moveBefore&&l.parentNode?
n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function on(e,t,n,o){var a,i=e.key,l=e.type,s=t[n],c=s&&!(2&s.__u);if(s===null&&i==null||c&&i==s.key&&l==s.type)return n;
if(o>(c?1:0)){for(a=n-1;a>=0;a--)if((s=t[a])&&!(2&s.__u)&&i==s.key&&l==s.type)return a;for(a=n+1;a<t.length;a++)if((s=t[a])&&
!(2&s.__u)&&i==s.key&&l==s.type)return a}return-1}function Ze(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}
function de(e,t,n,o,a){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)n&&t in n||Ze(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Ze(e.style,t,n[t])}else if(t[0]=="o"&&
t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(l=Ee[t]||(Ee[t]=
rn(t)),(e.__a||(e.__a={}))[t]=Re,i=t!=(t=t.replace(tt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(
t,l,i):e.removeEventListener(t,l,i));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function rn(e){return function(t){var n=this.
__e;if(n){if(n=n[e],t[ue]==null)t[ue]=Re++;else if(t[ue]<this.__a[e])return;return n(v.event?v.event(t):t)}}}function Me(e,t,n,o,a,i,l,s,c,p){
var u,_,f,d,m,h,g,b,y,S,w,$e,Ge,le,X,qe,H,z,A=t.type;if(t.constructor!==te)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&
(t.__u|=c,_=i=[],u.nodeType==8?s=pe(u,i):i.push(u),s=i[0]||s),(u=v.__b)&&u(t);e:if(typeof A=="function"){f=l.length;try{
if(b=t.props,y=(u=A.prototype)&&u.render,S=(u=A.contextType)&&o[u.__c],w=u?S?S.props.value:u.__:o,(d=n.__c)?(t.__c=d,2&d.
__g&&(d.__g|=1)):(y?t.__c=d=new A(b,w):(t.__c=d=new fe(b,w),d.constructor=A,d.render=sn),S&&S.sub(d),d.state||(d.state={}),
d.__n=o,d.__g|=8,d.__h=[],d.__k=[]),y&&(d.__s||(d.__s=d.state),A.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=V({},
d.__s)),V(d.__s,A.getDerivedStateFromProps(b,d.__s)))),m=d.props,h=d.state,d.__v=t,n.__c){if(b!==m&&y&&!A.getDerivedStateFromProps&&
d.componentWillReceiveProps&&d.componentWillReceiveProps(b,w),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&
d.shouldComponentUpdate(b,d.__s,w)===!1){t.__v!=n.__v&&(d.props=b,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(B){B&&(B.__=t)}),he.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&l.push(d),s=J(n);break e}d.componentWillUpdate&&
d.componentWillUpdate(b,d.__s,w),y&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(m,h,g)})}else y&&!A.
getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),y&&d.componentDidMount&&d.__h.push(d.componentDidMount);
d.context=w,d.props=b,d.__P=e,d.__g&=-5,$e=v.__r,Ge=y?25:0;do d.__g&=-9,$e&&$e(t),u=d.render(d.props,d.state=d.__s,d.context);while(8&
d.__g&&++Ge<25);y&&(he.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(o=V({},o,d.getChildContext())),
y&&n.__c&&d.getSnapshotBeforeUpdate&&(g=d.getSnapshotBeforeUpdate(m,h)),le=u&&u.type===C&&u.key==null?u.props.children:u,
b.__P&&(u=s,a=(e=b.__P).namespaceURI,c=i=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&Ie(B,B)}),n.__k=null),
s=n.__k?J(n,0):null),s=at(e,Be(le)?le:[le],t,n,o,a,i,l,s,c,p),b.__P&&(t.__e=null,s=u),t.__u&=-161,_&&_.some(j),d.__h.length&&
l.push(d),1&d.__g&&(d.__g&=-4)}catch(B){if(l.length=f,t.__v=null,c||i)if(B&&B.then){if(t.__u|=128|c,i){for(~(H=i.indexOf(
s||void 0))||(H=i.length);(z=i[H-1])&&z.nodeType==8;)H--;for(;H<i.length;H++)if(z=i[H])if(i[H]=null,X){if(z==qe)break}else{
if(z.nodeType!=8)break;z.data.startsWith("$s")&&(qe=pe(X=z))}}if(!X){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;
X=s}(u=pe(X=t.__c.__z||(t.__c.__z=X)))?(t.__e=X,s=u):t.__e=s,s=s&&s.nextSibling}else i&&i.some(j);else t.__e=n.__e;t.__k||
(t.__k=n.__k||[]),B&&B.then||st(t),v.__e(B,t,n)}}else s=t.__e=an(n.__e,t,n,o,a,i,l,c,p,e);return(u=v.diffed)&&u(t),s}function pe(e,t){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))
n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function st(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.
some(st))}function lt(e,t,n){for(var o=0;o<n.length;)Pe(n[o++],n[o++],n[o++]);v.__c&&v.__c(t,e),e.some(function(a){try{e=
a.__h,a.__h=[],e.some(function(i){i.call(a)})}catch(i){v.__e(i,a.__v)}})}function an(e,t,n,o,a,i,l,s,c,p){var u,_,f,d,m,
h,g,b,y=n.props||_e,S=t.props,w=t.type;if(w=="svg"?a="http://www.w3.org/2000/svg":w=="math"?a="http://www.w3.org/1998/Ma\
th/MathML":a||(a="http://www.w3.org/1999/xhtml"),i){for(u=0;u<i.length;u++)if((m=i[u])&&(w?m.localName==w:m.nodeType==3)){
e=m,i[u]=null;break}}if(!e){if(b=p.ownerDocument||document,!w)return b.createTextNode(S);e=b.createElementNS(a,w,S.is?S:
p),s&&(v.__m&&v.__m(t,i),s=!1),i=null}if(w){if(p=w=="template"&&e.content||e,i=w=="textarea"&&S.defaultValue!=null?null:
i&&nt.call(p.childNodes),!s&&i)for(y={},u=0;u<e.attributes.length;u++)y[(m=e.attributes[u]).name]=m.value;for(u in y)m=y[u],
u=="dangerouslySetInnerHTML"?f=m:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in
S||de(e,u,null,m,a);for(u in S)m=S[u],u=="children"?d=m:u=="dangerouslySetInnerHTML"?_=m:u=="value"?h=m:u=="checked"?g=m:
s&&typeof m!="function"||y[u]===m||de(e,u,m,y[u],a);_?(s||f&&(_.__html==f.__html||_.__html==e.innerHTML)||(e.innerHTML=_.
__html),t.__k=[]):(f&&(e.textContent=""),(w=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&en.test(w))&&(a="\
http://www.w3.org/1999/xhtml"),at(p,Be(d)?d:[d],t,n,o,a,i,l,i?i[0]:n.__k&&J(n,0),s,c),i&&i.some(j)),s&&w!="textarea"||(u=
"value",w=="progress"&&h==null?e.removeAttribute(u):h==null||h===e[u]&&(w!="progress"||h)||de(e,u,h,y[u],a),u="checked",
g!=null&&g!=e[u]&&de(e,u,g,y[u],a))}else y===S||s&&e.data==S||(e.data=S);return e}function Pe(e,t,n,o){try{typeof e=="fu\
nction"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
v.__e(a,n)}}function Ie(e,t,n){var o,a,i,l;if(v.unmount&&v.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Pe(o,null,
t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(s){v.__e(s,t)}o.__P=o.__n=null}if(o=e.__k)for(l=
0;l<o.length;l++)o[l]&&Ie(o[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(a=pe(o,i=[]))&&(o==
e.__e&&i.some(j),j(a),j(o)),n||j(e.__e),e.__e=e.__c=e.__=null}function sn(e,t,n){return this.constructor(e,n)}function dt(e,t){
var n,o,a,i;v.__&&v.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ce(C,{children:[e]}),
a=[],i=[],Me(t,t.__k,o||_e,_e,t.namespaceURI,o?null:t.firstChild?nt.call(t.childNodes):null,a,o?o.__e:t.firstChild,n,i),
lt(a,t.__k,i),t.__k.props.children=null}v={__e:function(e,t,n,o){for(var a,i,l;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((l=(i=a.constructor)&&i.getDerivedStateFromError)&&
a.setState(i.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,o||{}),l=1),l&&8&a.__g)return void(a.
__g|=2)}catch(s){e=s}}throw me=0,e}},Ye=0,Zt=function(e){return e!=null&&e.constructor===te},fe.prototype.setState=function(e,t){
var n=this.__s;n&&n!=this.state||(n=this.__s=V({},this.state)),typeof e=="function"&&(e=e(V({},n),this.props)),e&&(V(n,e),
this.__v&&(t&&this.__k.push(t),Qe(this)))},fe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(
e),Qe(this))},fe.prototype.render=C,U=[],me=0,et=function(e,t){return e.__v.__b-t.__v.__b},ue=Symbol(),tt=/(PointerCapture)$|Capture$/i,
Re=0,Ee={},Yt=0;var q,T,Ae,ut,Oe=Object.is,oe=0,vt=[],De=[],k=v,ct=k.__b,ft=k.__r,pt=k.diffed,mt=k.__c,_t=k.unmount,ht=k.__;function ge(e,t){
k.__h&&k.__h(T,e,oe||t),oe=0;var n=T.__H||(T.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function x(e){
return oe=1,ln(xt,e)}function ln(e,t,n){var o=ge(q++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):xt(void 0,t),function(i){var l=(o.
__N||o.__)[0],s=o.t(l,i);Oe(l,s)||(o.__N=[s,o.__[1]],o.__c.setState({}))}],o.__c=T,!T.__f)){T.__f=!0;var a=T.shouldComponentUpdate;
T.shouldComponentUpdate=function(i,l,s){var c=this.__H;if(!c)return!0;var p=!1,u=this.props!=i;if(c.__.some(function(f){
f.__N&&(p=!0,Oe(f.__[0],f.__N[0])||(u=!0))}),a){var _=a.call(this,i,l,s);return p?_||u:_}return!p||u}}return o.__}function $(e,t){
var n=ge(q++,3);!k.__s&&He(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,T.__H.__h.push(n))}function bt(e,t){var n=ge(q++,4);!k.__s&&
He(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,T.__h.push(n))}function O(e){return oe=5,re(function(){return{current:e}},[])}function re(e,t){var n=ge(q++,7);return He(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function wt(e,t){return oe=8,re(function(){
return e},t)}function dn(){var e;do{for(;e=De.shift();)try{ne(e)}catch(n){k.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=vt.shift();){var t=e.
__H;if(e.__P&&t)try{t.__h.some(ne),t.__h.some(Le),t.__h=[]}catch(n){t.__h=[],k.__e(n,e.__v)}}}while(De.length)}k.__b=function(e){
T=null,ct&&ct(e)},k.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ht&&ht(e,t)},k.__r=function(e){ft&&ft(e),q=0;
var t=(T=e.__c).__H;t&&(Ae==T?T.__h=[]:(t.__h.some(ne),t.__h.some(Le),q=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.
__N),n.u=n.__N=void 0})),Ae=T},k.diffed=function(e){pt&&pt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&yt(vt.push(t)),t.
__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ae=T=null},k.__c=function(e,t){t.some(function(n){try{n.__h.some(ne),n.__h=n.
__h.filter(function(o){return!o.__||Le(o)})}catch(o){n.__h=[function(){throw o}]}}),mt&&mt(e,t)},k.unmount=function(e){_t&&
_t(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,yt(De.push(a))}else ne(a)}catch(i){t=i}}),o.__H=void 0,t&&k.__e(t,o.__v))};var gt=typeof requestAnimationFrame==
"function";function un(e){var t,n=function(){clearTimeout(o),gt&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);
gt&&(t=requestAnimationFrame(n))}function yt(e){e!=1&&ut==k.requestAnimationFrame||((ut=k.requestAnimationFrame)||un)(dn)}
function ne(e){var t=T,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),T=t}function Le(e){var t=T;e.__c=e.__(),T=t}function He(e,t){
return!e||e.length!=t.length||t.some(function(n,o){return!Oe(n,e[o])})}function xt(e,t){return typeof t=="function"?t(e):
t}var K=class{#e;#t=new Set;constructor(t){this.#e=t}get value(){return this.#e}set(t){this.#e=t;for(let n of this.#t)n(t)}watch(t){
return this.#t.add(t),()=>{this.#t.delete(t)}}};function ye(e){let[t,n]=x(e.value);return $(()=>(n(e.value),e.watch(n)),
[e]),t}var P=class extends Error{status;body;constructor(t,n){super(typeof n.error=="string"?n.error:`the server answered ${t}`),
this.status=t,this.body=n}},Je=class extends Error{constructor(){super("the server does not answer")}},{prefix:cn="",server:fn=""}=document.
body.dataset,be=fn,D=new K({kind:"unknown"}),ve=new K(new Map);function pn(e){return`${cn}${e}`}async function we(e,t={}){
let n=await Q(e,t);if(!(n instanceof P))return n;let o=n.status===401,a=n.status===403&&n.message.includes("x-agentrt-cs\
rf");if(!o&&!a)throw n;if(o?await Z("The session is over. Sign in again."):await St()){let i=await Q(e,t);if(!(i instanceof
P))return i;throw i}throw n}async function Q(e,t){let{method:n="GET",body:o,headers:a,signal:i}=t,l=D.value,c=n!=="GET"&&
l.kind==="in"?{"x-agentrt-csrf":l.session.csrf_token}:{},p=o===void 0?{}:{"content-type":"application/json"},u,_;try{u=await fetch(
pn(e),{method:n,headers:{...p,...c,...a},credentials:"same-origin",cache:"no-store",redirect:"error",...o===void 0?{}:{body:JSON.
stringify(o)},...i===void 0?{}:{signal:i}}),_=await u.text()}catch(d){throw i?.aborted===!0?d:(Fe(e,"no answer"),new Je)}
let f=mn(_);return Fe(e,u.status>=500?`answers ${u.status}`:void 0),u.ok?{status:u.status,body:f}:new P(u.status,f??{})}
function mn(e){try{return e===""?void 0:JSON.parse(e)}catch{return{error:e.slice(0,200)}}}function Fe(e,t){let n=e.replace(
/\?.*$/s,""),{value:o}=ve;if(o.get(n)===t)return;let a=new Map(o);t===void 0?a.delete(n):a.set(n,t),ve.set(a)}function kt(e){
Fe(e,void 0)}var Ue;async function Z(e=""){return Ue??=_n(e).finally(()=>{Ue=void 0}),await Ue}async function St(){let e=await Q(
"/console/session",{});return e instanceof P||e.body.session===null?!1:(D.set({kind:"in",session:e.body.session}),!0)}async function _n(e){
if(D.value.kind==="in")await Q("/console/session",{method:"DELETE"});else if(await St())return!0;let t=await We({});if(t===
void 0)return!0;let n=t.status===401?e:t.message;return D.set({kind:"out",notice:n}),!1}async function We(e){let t=await Q(
"/console/session",{method:"POST",headers:e});if(t instanceof P)return t;let{session:n}=t.body;if(n===null)return new P(
401,{error:"no session came"});D.set({kind:"in",session:n})}async function Tt(){try{await Q("/console/session",{method:"\
DELETE"})}catch{}D.set({kind:"out",notice:"You are signed out."})}function Ct(e){let{value:t}=D;return t.kind==="in"&&(t.
session.scopes?.includes(e)??!0)}function xe(e){let t=Math.abs(e);return t<1?`${Math.round(t*1e3)} ms`:t<60?`${t<10?Math.round(t*10)/10:Math.round(t)} s`:
t<3600?`${Math.round(t/60)} min`:t<86400?`${Math.round(t/360)/10} h`:`${Math.round(t/8640)/10} d`}function G(e){let t=Date.
now()/1e3-e;return t<1?"now":`${xe(t)} ago`}function $t(e){let t=e-Date.now()/1e3;return t<=0?"over":`in ${xe(t)}`}function Nt(e){
let t=new Date(e*1e3);if(Number.isNaN(t.getTime()))return String(e);let n=(i,l=2)=>String(i).padStart(l,"0"),o=`${t.getFullYear()}\
-${n(t.getMonth()+1)}-${n(t.getDate())}`,a=`${n(t.getHours())}:${n(t.getMinutes())}:${n(t.getSeconds())}`;return`${o} ${a}\
.${n(t.getMilliseconds(),3)}`}function Y(e){return e===0?"$0":e<.01?`$${e.toFixed(5)}`:`$${e.toFixed(2)}`}function R(e){
return String(Math.round(e)).replaceAll(/\B(?=(\d{3})+$)/g," ")}function Et(e){return JSON.stringify(e,null,2)??""}function L(e){
return typeof e=="string"?e:JSON.stringify(e)??""}function ke(e){return Object.entries(e).map(([t,n])=>`${t}=${L(n)}`).join(
" ")}function ae(e,t,n=`${t}s`){return`${R(e)} ${e===1?t:n}`}var hn=Symbol.for("pv"),gn=0;function r(e,t,n,o,a,i){t||(t={});var l,s,c=t;if("ref"in c&&typeof e!="function")for(s in c={},t)s=="ref"?l=t[s]:c[s]=t[s];
var p={type:e,props:c,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:hn,__v:--gn,__i:-1,__u:0};return(a||
i)&&(p.__source=a,p.__self=i),v.vnode&&v.vnode(p),p}var yn={RUNNING:["●","good"],INITIALIZING:["◔","wait"],SUSPENDED:["❚❚","wait"],STOPPING:["◑","wait"],STOPPED:[
"○","dull"],CRASHED:["✖","bad"],pending:["◔","wait"],approved:["✔","good"],denied:["✖","bad"],expired:["○","\
dull"]};function ie(e){let{status:t,isBelow:n=!1}=e,[o,a]=yn[t]??["◌","dull"];return r("span",{class:`status ${a}`,children:[
r("span",{class:"mark","aria-hidden":"true",children:o}),t,n?" below":""]})}function F({at:e}){return r("time",{title:Nt(
e),children:G(e)})}function I(e){return r("section",{class:e.isWide===!0?"panel wide":"panel",children:[r("header",{children:[
r("h2",{children:e.title}),e.extra]}),e.children]})}function ee(e){return r("dl",{class:"facts",children:e.facts.map(([t,
n])=>r("div",{children:[r("dt",{children:t}),r("dd",{children:n})]},t))})}function Rt({value:e,label:t}){return r("pre",
{class:"code",tabIndex:0,role:"region","aria-label":t,children:Et(e)})}function E({children:e}){return r("p",{class:"not\
hing",children:e})}function W({refusal:e}){return e===void 0?null:r("p",{class:"refused",role:"alert",children:e.message})}
function se(e){return r("div",{class:"scroll",tabIndex:0,role:"region","aria-label":e.label,children:r("table",{children:[
r("thead",{children:r("tr",{children:e.columns.map(({name:t,isNumber:n})=>r("th",{scope:"col",class:n===!0?"number":"",children:t},
t))})}),r("tbody",{children:e.rows.map((t,n)=>r("tr",{children:e.columns.map(({name:o,show:a,isNumber:i})=>r("td",{"data\
-name":o,class:i===!0?"number":"",children:a(t)},o))},e.keyOf(t,n)))})]})})}function Bt({question:e,onClose:t}){let n=O(
null),[o,a]=x(""),[i,l]=x(!1),[s,c]=x("");$(()=>{let m=document.activeElement;return n.current?.showModal(),()=>{m instanceof
HTMLElement&&m.focus()}},[]);let p=async()=>{l(!0),c("");try{await e.act(o.trim()),t()}catch(m){c(m instanceof Error?m.message:
String(m)),l(!1)}},{title:u,verb:_,asksFor:f,isDangerous:d=!1}=e;return r("dialog",{ref:n,onClose:t,"aria-labelledby":"q\
uestion",children:r("form",{onSubmit:m=>{m.preventDefault(),i||p()},children:[r("h2",{id:"question",children:u}),r("div",
{class:"text",children:e.text}),f===void 0?null:r("label",{children:[f,r("input",{value:o,onInput:m=>a(m.currentTarget.value)})]}),
s===""?null:r("p",{class:"refused",role:"alert",children:s}),r("div",{class:"buttons",children:[r("button",{type:"button",
onClick:t,children:"Cancel"}),r("button",{class:d?"danger":"primary",disabled:i,children:_})]})]})})}function Se({children:e}){
let t=O(null);return $(()=>t.current?.focus({preventScroll:!0}),[]),r("h1",{ref:t,tabIndex:-1,children:e})}function Mt(e){let{agent:t}=e,[n,o]=x();if(!Ct("operate"))return null;let a=(s,c)=>async()=>{await we(`/agents/${encodeURIComponent(
t.name)}/${s}`,{method:"POST",body:c}),e.onDone()},i=s=>async c=>await a(s,c===""?{}:{reason:c})(),l=[{title:`Suspend ${t.
name}?`,text:r("p",{children:"It finishes the message at hand and then waits. What comes meanwhile is kept."}),verb:"Sus\
pend",asksFor:"Reason",act:i("suspend"),isThere:t.suspension===null},{title:`Drain ${t.name}?`,text:r("p",{children:"It \
handles what waits, takes nothing new, and is suspended then."}),verb:"Drain",asksFor:"Reason",act:i("drain"),isThere:t.
suspension===null&&t.draining===void 0},{title:`Resume ${t.name}?`,text:r("p",{children:"It goes on with the messages th\
at wait."}),verb:"Resume",act:a("resume",{}),isThere:t.suspension!==null||t.draining!==void 0},{title:`Restart ${t.name}\
?`,text:r("p",{children:["A new object takes its place."," ",t.at_hand.length===0?"No message is":`${t.at_hand.length} a\
t hand get time to end, and are lost then;`," ",t.mailbox.depth," waiting are kept."]}),verb:"Restart",isDangerous:!0,asksFor:"\
Reason",act:i("restart"),isThere:!0}];return r("div",{class:"actions",children:[l.filter(({isThere:s})=>s).map(s=>r("but\
ton",{class:s.isDangerous===!0?"danger":"",onClick:()=>o(s),children:s.verb},s.verb)),n===void 0?null:r(Bt,{question:n,onClose:()=>o(
void 0)})]})}function It({counters:e}){let t=Object.entries(e.models),n=[["Handled",R(e.messages_handled)],["Sent",R(e.messages_sent)],
["Mean time",`${Math.round(e.avg_latency_ms*10)/10} ms`],["Errors",R(e.errors)],["Tokens in / out",`${R(e.tokens_in)} / ${R(
e.tokens_out)}`],["Cost",Y(e.cost_usd)]];return r(C,{children:[r(ee,{facts:n}),t.length===0?null:r(se,{label:"Use of mod\
els",rows:t,keyOf:([o])=>o,columns:[{name:"Model",show:([o])=>o},{name:"Calls",show:([,o])=>R(o.calls),isNumber:!0},{name:"\
Tokens",show:([,o])=>R(o.tokens_in+o.tokens_out),isNumber:!0},{name:"Cost",show:([,o])=>`${Y(o.cost_usd)}${o.unpriced_calls>
0?` and ${o.unpriced_calls} calls without a price`:""}`,isNumber:!0}]})]})}function At({budgets:e}){return e.length===0?
null:r("ul",{class:"budgets","aria-label":"Budgets",children:e.flatMap(t=>[r(Pt,{budget:t,unit:"usd"},`${t.name} usd`),r(
Pt,{budget:t,unit:"tokens"},`${t.name} tokens`)])})}function Pt({budget:e,unit:t}){let n=t==="usd"?e.limit_usd:e.limit_tokens;
if(n===null)return null;let o=t==="usd"?e.spent_usd+e.reserved_usd:e.spent_tokens+e.reserved_tokens,a=t==="usd"?Y:c=>`${R(
c)} tokens`,i=n===0?1:Math.min(1,o/n),l=e.frees_at===null?"":`, free again ${$t(e.frees_at)}`,s=`${a(o)} of ${a(n)} per ${e.
per}${l}`;return r("li",{children:[r("span",{children:s}),r("meter",{min:0,max:1,high:.9,value:i,"aria-label":s})]})}var Xe=new K(Ot());addEventListener("hashchange",()=>Xe.set(Ot()));function Ot(){let[e="",t=""]=location.hash.replace(/^#\/?/,
"").split("/",2);return{page:e===""?"tree":e,about:vn(t)}}function vn(e){try{return decodeURIComponent(e)}catch{return e}}
function N(e,t=""){return t===""?`#/${e}`:`#/${e}/${encodeURIComponent(t)}`}function Dt({lines:e}){return e===void 0||e.length===0?r(E,{children:e===void 0?"…":"No line yet."}):r("ol",{class:"lo\
g",tabIndex:0,"aria-label":"Log lines, latest first",children:e.toReversed().map((t,n)=>r(bn,{line:t},e.length-n))})}function bn({
line:e}){let{agent:t,time:n,level:o,message:a,traceId:i,spanId:l,...s}=e,c=typeof i=="string"?i:"";return r("li",{class:L(
o),children:[r("time",{children:L(n).replace("T"," ").replace("Z","")})," ",r("b",{children:L(o)})," ",L(a)," ",r("span",
{class:"fields",children:ke(s)})," ",c===""?null:r("a",{href:N("traces",c),children:["trace ",c.slice(0,8)]})]})}var wn=20,xn=3e4;function M(e,t,n){let[o,a]=x({data:void 0,refusal:void 0}),i=O(()=>{}),l=O(n);l.current=n,$(()=>{if(e===
void 0)return;let p=new ze({path:e,everyMs:t,next:u=>l.current?.(u)});return p.onAnswer=u=>a({data:u,refusal:void 0,of:e}),
p.onRefusal=u=>a(_=>({data:_.of===e&&u.status!==404?_.data:void 0,refusal:u,of:e})),i.current=()=>p.askNow(),p.askNow(),
()=>p.end()},[e,t]);let s=wt(()=>i.current(),[]),c=o.of===e;return{data:c?o.data:void 0,refusal:c?o.refusal:void 0,refresh:s}}
var ze=class{#e;#t;#s;#n=new AbortController;#o;#r=!1;#a=!1;#i;onAnswer=()=>{};onRefusal=()=>{};constructor(t){this.#e=t.
path,this.#t=t.everyMs,this.#s=t.next,document.addEventListener("visibilitychange",()=>this.#d(),{signal:this.#n.signal})}askNow(){
if(this.#r){this.#a=!0;return}clearTimeout(this.#o),this.#l()}end(){this.#n.abort(),clearTimeout(this.#o),kt(this.#e)}#d(){
document.visibilityState==="visible"&&this.askNow()}async#l(){let t=performance.now();if(this.#r=!0,await this.#u(),this.#r=
!1,this.#n.signal.aborted)return;let n=performance.now()-t,o=Math.max(this.#t,Math.min(xn,wn*n)),a=this.#a;this.#a=!1,(document.
visibilityState==="visible"||a)&&(this.#o=setTimeout(()=>{this.#l()},a?0:o))}async#u(){let{signal:t}=this.#n,n=(this.#i===
void 0?void 0:this.#s(this.#i))??this.#e;try{let{status:o,body:a}=await we(n,{signal:t});if(t.aborted||o===204)return;this.#i=
a,this.onAnswer(a)}catch(o){!t.aborted&&o instanceof P&&this.onRefusal(o)}}};function Lt({name:e}){let t=`/agents/${encodeURIComponent(e)}`,n=M(t,1500),{data:o,refusal:a}=n;return r("main",{class:"\
page",id:"main",children:[r("div",{class:"bar",children:[r("p",{class:"crumbs",children:[r("a",{href:N("tree"),children:"\
Tree"})," ",r("span",{"aria-hidden":"true",children:"/"})]}),r(Se,{children:e}),o===void 0?null:r(ie,{status:o.status}),
o===void 0?null:r(Mt,{agent:o,onDone:n.refresh})]}),r(W,{refusal:a}),o===void 0?a===void 0?r(E,{children:"Loading…"}):
null:r("div",{class:"panels",children:[r(kn,{agent:o}),r(Tn,{agent:o}),r(Cn,{agent:o}),o.kind==="keyed"?r($n,{name:e}):null,
r(Nn,{base:t}),r(En,{name:e}),r(Rn,{base:t}),r(Bn,{base:t}),r(Mn,{base:t})]})]})}function kn({agent:e}){let{mailbox:t,at_hand:n,
waits_for:o,listeners:a=[],placement:i={}}=e,l=[["Class",e.class===null?e.kind:`${e.class} (${e.kind})`],["Process",e.process_id],
["Up",xe(e.uptime_seconds)],["Restarts",e.restart_count],["Waiting",t.oldest_timestamp===null?t.depth:`${t.depth}, the o\
ldest for ${G(t.oldest_timestamp).replace(" ago","")}`],["Model turns",e.session_turn_count]];e.capabilities.length>0&&l.
push(["Capabilities",e.capabilities.join(", ")]),o!==void 0&&l.push(["Waits for",r(C,{children:[`the ${o.kind} ${o.name}\
, since `,r(F,{at:o.since})]})]),e.waits_for_state===!0&&l.push(["Waits for","the state store"]);for(let{protocol:s,host:c,
port:p}of a)l.push(["Listens",`${s} ${c}:${p}`]);for(let[s,c]of Object.entries(i))l.push([`On ${s}`,c]);return r(I,{title:"\
Now",children:[r(ee,{facts:l}),n.length===0?r(E,{children:"No message is at hand."}):r(se,{label:"Messages at hand",rows:n,
keyOf:({id:s})=>s,columns:[{name:"At hand",show:({type:s})=>s},{name:"From",show:({sender:s})=>r(Ht,{name:s})},{name:"Si\
nce",show:({since:s})=>r(F,{at:s})},{name:"Attempt",show:({attempt:s})=>s+1,isNumber:!0},{name:"Trace",show:({trace_id:s})=>r(
Sn,{id:s})}]})]})}function Ht({name:e}){return e===""?r("span",{class:"dull",children:"outside"}):r("a",{href:N("agents",
e),children:e})}function Sn({id:e}){return e===""?r(C,{}):r("a",{href:N("traces",e),children:e.slice(0,8)})}function Tn({
agent:e}){let{suspension:t,draining:n,approvals:o=[]}=e;if(t===null&&n===void 0)return null;let a=[];n!==void 0&&a.push(
["Draining",n.reason],["By",n.initiated_by],["Since",r(F,{at:n.since})]),t!==null&&a.push([t.halted===!0?"Halted":"Reaso\
n",t.reason],["Category",t.category],["By",t.initiated_by??"unknown"],["Since",r(F,{at:t.since})],["Survives a restart",
t.durable?"yes":"no"]);for(let i of o)a.push(["Waits for",r("a",{href:N("approvals",i),children:["approval ",i]})]);return r(
I,{title:t===null?"Draining":"Suspended",children:r(ee,{facts:a})})}function Cn({agent:e}){let{last_crash:t}=e;return t===
null?null:r(I,{title:"Last crash",extra:r("a",{href:N("crashes",t.id),children:"Details"}),children:r(ee,{facts:[["When",
r(F,{at:t.timestamp})],["Reason",t.reason],["Message",t.message],["At",t.at??"unknown"]]})})}function $n({name:e}){let[t,
n]=x("");return r(I,{title:"Key",children:r("form",{class:"line",onSubmit:o=>{o.preventDefault(),location.hash=N("agents",
`${e}/${t}`)},children:[r("label",{children:["Key that has an object",r("input",{required:!0,value:t,onInput:o=>n(o.currentTarget.
value)})]}),r("button",{children:"Show"})]})})}function Nn({base:e}){let{data:t,refusal:n}=M(`${e}/mailbox?limit=50`,2e3),
o=t?.depth??0;return r(I,{title:"Mailbox",extra:r("span",{class:"dull",children:o===0?"":`${o} wait`}),children:[r(W,{refusal:n}),
t===void 0||t.messages.length===0?r(E,{children:t===void 0?"…":"No message waits."}):r(se,{label:"Messages that wait",
rows:t.messages,keyOf:({id:a})=>a,columns:[{name:"Type",show:({type:a})=>a},{name:"From",show:({sender:a})=>r(Ht,{name:a})},
{name:"Sent",show:({timestamp:a})=>r(F,{at:a})},{name:"Priority",show:({priority:a})=>a,isNumber:!0}]})]})}function En({
name:e}){let{data:t}=M(`/snapshot?agent=${encodeURIComponent(e)}`,3e3),n=t?.agents[e],o=(t?.budgets??[]).filter(a=>a.name===
e);return r(I,{title:"Work, cost and budget",children:[n===void 0?r(E,{children:"Nothing is counted yet."}):r(It,{counters:n}),
r(At,{budgets:o})]})}function Rn({base:e}){let{data:t,refusal:n}=M(`${e}/state`,4e3);return r(I,{title:"State",extra:r("\
span",{class:"dull",children:"without secrets"}),children:[r(W,{refusal:n}),t===void 0?null:t.state===null?r(E,{children:"\
There is no object of it."}):r(Rt,{value:t.state,label:"State"})]})}function Bn({base:e}){let{data:t,refusal:n}=M(`${e}/\
history`,3e3),o=(t?.history??[]).toReversed();return r(I,{title:"History",children:[r(W,{refusal:n}),o.length===0?r(E,{children:t===
void 0?"…":"Nothing yet."}):r("ol",{class:"history",tabIndex:0,"aria-label":"History, latest first",children:o.map(({event:a,
timestamp:i,...l},s)=>r("li",{children:[r(F,{at:Number(i)})," ",r("b",{children:L(a)})," ",r("span",{class:"fields",children:ke(
l)})]},`${L(i)}-${s}`))})]})}function Mn({base:e}){let{data:t,refusal:n}=M(`${e}/logs?limit=200`,2e3);return r(I,{title:"\
Logs",isWide:!0,children:[r(W,{refusal:n}),r(Dt,{lines:t?.lines})]})}var Pn=[["key","API key"],["token","Token (JWT)"]];function Ut({notice:e}){let[t,n]=x("key"),[o,a]=x(""),[i,l]=x(""),[s,
c]=x(!1),p=async()=>{c(!0),l("");let u=o.trim();try{let _=t==="key"?{"x-api-key":u}:{authorization:`Bearer ${u}`},f=await We(
_);f!==void 0&&l(f.message)}catch(_){l(_ instanceof Error?_.message:String(_))}c(!1)};return r("main",{class:"sign-in",children:r(
"form",{onSubmit:u=>{u.preventDefault(),p()},children:[r("h1",{children:[r("span",{class:"brand",children:"agentrt"})," \
console of ",be]}),e===""?null:r("p",{role:"status",children:e}),r("fieldset",{children:[r("legend",{children:"Sign in w\
ith"}),Pn.map(([u,_])=>r("label",{class:"choice",children:[r("input",{type:"radio",name:"way",checked:t===u,onChange:()=>n(
u)}),_]},u))]}),r("label",{children:[t==="key"?"Key":"Token",r("input",{type:"password",autocomplete:"off",spellcheck:!1,
required:!0,value:o,onInput:u=>a(u.currentTarget.value)})]}),i===""?null:r("p",{class:"refused",role:"alert",children:i}),
r("div",{class:"buttons",children:[r("button",{type:"button",onClick:()=>{Z("No certificate lets this browser in.")},children:"\
Use a certificate, or none"}),r("button",{class:"primary",disabled:s,children:"Sign in"})]}),r("p",{class:"hint",children:"\
The key or token is sent to this server once. The browser keeps a cookie that ends after 30 minutes without use, after 1\
2 hours, and with the token."})]})})}var Jt="agentrt-console-theme",Te=["auto","light","dark"],In={auto:"◐ Auto",light:"☀ Light",dark:"☾ Dark"};function Ft(){
let[e,t]=x(An());$(()=>{document.documentElement.dataset.theme=e;try{localStorage.setItem(Jt,e)}catch{}},[e]);let n=Te[(Te.
indexOf(e)+1)%Te.length]??"auto";return r("button",{onClick:()=>t(n),"aria-label":`Theme: ${e}. Change to ${n}`,children:In[e]})}
function An(){try{let e=localStorage.getItem(Jt);return Te.find(t=>t===e)??"auto"}catch{return"auto"}}var Ce=["CRASHED","STOPPED","STOPPING","SUSPENDED","INITIALIZING","RUNNING"];function Wt(e,t){let n=new Map,o=[],a=t.text!==
""||t.status!=="",i=(s,c)=>{let p="status"in s?s.status:void 0;p!==void 0&&s.type!=="dynamic_supervisor"&&n.set(p,(n.get(
p)??0)+1);let u="children"in s?s.children:[],_=a||!t.closed.has(s.name),f=o.length;o.push(void 0);let d=p===void 0?Ce.length-
1:On(p),m=0,h=!a||Dn(s.name,p,t);return u.forEach((g,b)=>{let y=o.length,S={position:b+1,siblingCount:u.length},w=i(g,{depth:c.
depth+1,...S});d=Math.min(d,w.worst),m+=1+w.below,h||=w.isShown,(!_||!w.isShown)&&(o.length=y)}),o[f]={...c,name:s.name,
kind:s.type,status:p??Ce[d]??"RUNNING",restartCount:s.restart_count,note:Ln(s),belowCount:m,hasChildren:u.length>0,isOpen:_,
processId:s.process_id},{worst:d,below:m,isShown:h}},{isShown:l}=i(e,{depth:0,position:1,siblingCount:1});return{rows:l?
o:[],counts:n}}function On(e){let t=Ce.indexOf(e);return t===-1?Ce.length-1:t}function Dn(e,t,n){return e.toLowerCase().
includes(n.text.toLowerCase())?n.status===""?!0:t===void 0?!1:n.status==="not RUNNING"?t!=="RUNNING":t===n.status:!1}function Ln(e){
switch(e.type){case"supervisor":return`${e.strategy}${e.crashes_in_window>0?`, ${ae(e.crashes_in_window,"crash","crashes")}\
 lately`:""}`;case"dynamic_supervisor":return`${e.live_count} of ${e.max_children??"any number"} children`;case"pool":return`${e.
busy_count} busy, ${e.min} to ${e.max} members, ${e.mailbox_depth} wait`;case"keyed":return`${e.resident_count} keys in \
memory, ${e.mailbox_depth} wait${e.failed_count>0?`, ${e.failed_count} refuse`:""}`;default:return[e.halted===void 0?"":
`halted by ${e.halted.initiated_by}`,e.approvals===void 0?"":"waits for an approval",e.halted===void 0&&e.approvals===void 0?
e.suspend_category??"":""].filter(t=>t!=="").join(", ")}}var Xt=8;function zt(e){let{rows:t,rowHeight:n}=e,o=O(null),[a,i]=x({top:0,height:600}),[l,s]=x(),c=O(!1);$(()=>Hn(o.current,
i),[]);let p=t.findIndex(h=>e.keyOf(h)===l),u=p===-1?0:p,_=Math.max(0,Math.floor(a.top/n)-Xt),f=Math.min(t.length,Math.ceil(
(a.top+a.height)/n)+Xt);bt(()=>{c.current&&(c.current=!1,o.current?.querySelector('[role="row"][tabindex="0"]')?.focus())});
let d=h=>{let g=t[Math.max(0,Math.min(t.length-1,h))];g!==void 0&&(c.current=!0,s(e.keyOf(g)),Un(o.current,t.indexOf(g)*
n,n))},m=h=>{if(!(h.target instanceof HTMLElement&&h.target.role==="row")||h.ctrlKey||h.altKey||h.metaKey)return;let b=Jn(
h.key,{activeIndex:u,rowCount:t.length,view:a,rowHeight:n}),y=t[u];if(b!==void 0)d(b);else if(y===void 0||e.onKey?.(h.key,
y)!==!0)return;h.preventDefault()};return r("div",{class:"grid",role:e.role,"aria-label":e.label,"aria-rowcount":t.length+
1,"aria-colcount":e.columnCount,children:[e.head,r("div",{class:"rows",role:"rowgroup",ref:o,onKeyDown:m,children:r("div",
{class:"all",role:"presentation",style:{height:`${t.length*n}px`},children:t.slice(_,f).map((h,g)=>r("div",{role:"row",class:"\
row","aria-rowindex":_+g+2,tabIndex:_+g===u?0:-1,onFocus:()=>s(e.keyOf(h)),style:{top:`${(_+g)*n}px`,height:`${n}px`},...e.
about?.(h),children:e.show(h)},e.keyOf(h)))})})]})}function Hn(e,t){if(e===null)return()=>{};let n=()=>t({top:e.scrollTop,
height:e.clientHeight}),o=new ResizeObserver(n);return o.observe(e),e.addEventListener("scroll",n,{passive:!0}),n(),()=>{
o.disconnect(),e.removeEventListener("scroll",n)}}function Un(e,t,n){e!==null&&(t<e.scrollTop?e.scrollTop=t:t+n>e.scrollTop+
e.clientHeight&&(e.scrollTop=t+n-e.clientHeight))}function Jn(e,t){let n=Math.max(1,Math.floor(t.view.height/t.rowHeight)-
1);switch(e){case"ArrowDown":return t.activeIndex+1;case"ArrowUp":return t.activeIndex-1;case"PageDown":return t.activeIndex+
n;case"PageUp":return t.activeIndex-n;case"Home":return 0;case"End":return t.rowCount-1;default:return}}var Fn=["not RUNNING","RUNNING","SUSPENDED","CRASHED","STOPPED","INITIALIZING"];function Wn({revision:e}){return e===void 0?
"/topology":`/topology?since=${encodeURIComponent(e)}`}function Vt(){let e=M("/topology",1500,Wn),t=M("/overview",5e3),n=M(
"/health",5e3),[o,a]=x(""),[i,l]=x(""),[s,c]=x(new Set),p=re(()=>new Map(t.data?.agents.map(f=>[f.name,f])),[t.data]),u=re(
()=>e.data===void 0?void 0:Wt(e.data,{text:o,status:i,closed:s}),[e.data,o,i,s]),_=(f,d=!f.isOpen)=>{if(!f.hasChildren||
f.isOpen===d)return!1;let m=new Set(s);return d?m.delete(f.name):m.add(f.name),c(m),!0};return r("main",{class:"page fil\
l",id:"main",children:[r("div",{class:"bar",children:[r(Se,{children:"Tree"}),r("input",{type:"search","data-filter":!0,
"aria-label":"Names that contain",placeholder:"Filter by name ( / )",value:o,onInput:f=>a(f.currentTarget.value)}),r("se\
lect",{"aria-label":"Agents of status",value:i,onChange:f=>l(f.currentTarget.value),children:[r("option",{value:"",children:"\
any status"}),Fn.map(f=>r("option",{children:f},f))]}),r(Xn,{counts:u?.counts})]}),r(zn,{health:n.data,overview:t.data}),
r(W,{refusal:e.refusal}),u===void 0?e.refusal===void 0?r(E,{children:"Loading…"}):null:u.rows.length===0?r(E,{children:"\
No agent fits."}):r(Vn,{rows:u.rows,figures:p,onToggle:_})]})}function Xn({counts:e}){if(e===void 0)return null;let t=[...e.
values()].reduce((n,o)=>n+o,0);return r("p",{class:"counts",role:"status",children:[r("span",{children:ae(t,"agent")}),[
...e].map(([n,o])=>r("span",{children:[r(ie,{status:n})," ",R(o)]},n))]})}function zn(e){let t=e.health===void 0?[]:jn(e.
health);for(let{name:n,since:o}of e.overview?.models_silent??[])t.push(`the model ${n} has answered nobody since ${G(o)}`);
for(let{name:n}of e.overview?.budgets_used_up??[])t.push(`the budget of ${n} is used up`);return t.length===0?null:r("ul",
{class:"notices","aria-label":"What is wrong",children:t.map(n=>r("li",{children:[r("span",{"aria-hidden":"true",children:"\
▲"})," ",n]},n))})}function jn(e){let{approvals:t,halted:n=[],leader:o}=e,a=[];if(e.status==="degraded"){e.failed.length>
0&&a.push(`given up: ${e.failed.join(", ")}`),e.state!==void 0&&a.push(`no state is saved: ${e.state.reason}`);for(let i of e.
workers_away??[])a.push(`no worker for ${i}`);for(let i of e.workers_silent??[])a.push(`the worker ${i} is silent`);e.audit!==
void 0&&a.push(`no audit: ${e.audit.reason}`)}o!==void 0&&a.push(`this supervisor waits: ${o} leads`);for(let i of n)a.push(
`${i} is halted by an eval agent`);return t!==void 0&&t.pending>0&&a.push(`${ae(t.pending,"approval")} to be decided`),a}
var jt=["Name","Status","Kind","Mailbox","At hand","Restarts","Cost","Notes"];function Vn(e){let t=o=>je(o)?e.onToggle(o):
(location.hash=N("agents",o.name),!0),n=(o,a)=>o==="ArrowRight"?e.onToggle(a,!0):o==="ArrowLeft"?e.onToggle(a,!1):o==="E\
nter"||o===" "?t(a):!1;return r(zt,{label:"Agents and supervisors",role:"treegrid",rows:e.rows,rowHeight:34,columnCount:jt.
length,keyOf:o=>o.name,onKey:n,about:o=>({"aria-level":o.depth+1,"aria-posinset":o.position,"aria-setsize":o.siblingCount,
...o.hasChildren?{"aria-expanded":o.isOpen}:{}}),head:r("div",{role:"rowgroup",class:"tree head",children:r("div",{role:"\
row",class:"row","aria-rowindex":1,children:jt.map(o=>r("div",{role:"columnheader",class:`cell col-${o.toLowerCase().replace(
" ","-")}`,children:o},o))})}),show:o=>r(Kn,{row:o,figures:e.figures.get(o.name),onToggle:e.onToggle})})}function je({kind:e}){
return e==="supervisor"||e==="dynamic_supervisor"}function Kn(e){let{row:t,figures:n}=e,o=(l,s)=>r("div",{role:"gridcell",
class:`cell col-${l}`,children:s}),a=n?.waits_for,i=n?.at_hand;return r(C,{children:[r("div",{role:"gridcell",class:"cel\
l col-name",style:{paddingLeft:`${.25+Math.min(t.depth,12)}rem`},children:[t.hasChildren?r("button",{class:"twist",tabIndex:-1,
"aria-label":`${t.isOpen?"Close":"Open"} ${t.name}`,onClick:()=>e.onToggle(t),children:t.isOpen?"▾":"▸"}):r("span",{
class:"twist"}),je(t)?r("span",{class:"group",children:t.name}):r("a",{href:N("agents",t.name),tabIndex:-1,children:t.name}),
t.hasChildren&&!t.isOpen?r("span",{class:"below",children:t.belowCount}):null]}),o("status",r(ie,{status:t.status,isBelow:je(
t)&&t.status!=="RUNNING"})),o("kind",t.kind.replace("_"," ")),o("mailbox",n===void 0?"":R(n.mailbox_depth)),o("at-hand",
i==null?"":G(i.since).replace(" ago","")),o("restarts",t.restartCount===0?"":t.restartCount),o("cost",n===void 0||n.cost_usd===
0?"":Y(n.cost_usd)),o("notes",a===void 0?t.note:`waits for the ${a.kind} ${a.name}`)]})}function Gt(){let e=ye(D);return $(()=>{Z().catch(()=>setTimeout(qt,2e3))},[]),e.kind==="in"?r(Gn,{session:e.session}):e.
kind==="out"?r(Ut,{notice:e.notice}):r("main",{class:"page",children:[r(Qt,{}),r(E,{children:"Loading…"})]})}function qt(){
Z().catch(()=>setTimeout(qt,2e3))}var Ve=[{name:"tree",label:"Tree",show:()=>r(Vt,{})}];function Gn({session:e}){let{page:t,
about:n}=ye(Xe);$(()=>(document.addEventListener("keydown",Kt),()=>document.removeEventListener("keydown",Kt)),[]);let o=Ve.
find(({name:l})=>l===t)??Ve[0],a=t==="agents"&&n!=="",i=a?n:o?.label??"";return $(()=>{document.title=`${i} · ${be}: ag\
entrt console`},[i]),r(C,{children:[r("a",{class:"skip",href:"#main",onClick:qn,children:"To the content"}),r("header",{
class:"top",children:[r("a",{class:"brand",href:N("tree"),children:"agentrt"}),r("nav",{"aria-label":"Pages",children:Ve.
map(({name:l,label:s})=>r("a",{href:N(l),"aria-current":!a&&l===o?.name?"page":void 0,children:s},l))}),r("div",{class:"\
who",children:[r("span",{title:`may: ${e.scopes?.join(", ")??"all"}`,children:[e.principal,e.scopes===null?"":` (${e.scopes.
join(", ")||"nothing"})`]}),r(Ft,{}),r("button",{onClick:()=>{Tt()},children:"Sign out"})]})]}),r(Qt,{}),a?r(Lt,{name:n},
n):o?.show(n)]})}function qn(e){e.preventDefault(),document.querySelector("main h1")?.focus()}function Kt(e){let t=e.target instanceof
HTMLElement&&e.target.matches("input, textarea, select");if(e.key!=="/"||t||e.ctrlKey||e.metaKey||e.altKey)return;let n=document.
querySelector("[data-filter]");n!==null&&(e.preventDefault(),n.focus())}function Qt(){let e=[...ye(ve)];if(e.length===0)
return null;let t=e.every(([,o])=>o==="no answer"),n=e.slice(0,3).map(([o,a])=>`${o}: ${a}`);return r("p",{class:"banner",
role:"alert",children:[r("span",{"aria-hidden":"true",children:"▲"})," ",t?"The server does not answer. What you see i\
s what was known last; the page asks again.":n.join("; ")]})}var Ke=document.querySelector("#console");Ke!==null&&(Ke.replaceChildren(),dt(r(Gt,{}),Ke));
