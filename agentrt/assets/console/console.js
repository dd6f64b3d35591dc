/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */
var $,St,no,ne,je,Oe,Tt,Be,$t,ze,qe,oo,ke=Symbol.for("pv"),Le={},De=[],ro=/^m(i|n|o|s|text|space)$/,Ve=Array.isArray,Ct=De.
slice,ce=Object.assign;function ue(e){e&&e.parentNode&&e.remove()}function Ae(e,t,n,r,a){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ke,__v:a||
++St,__i:-1,__u:0};return!a&&$.vnode&&$.vnode(s),s}function N(e){return e.children}function Re(e,t){this.props=e,this.context=t,this.__g=0}function oe(e,t){if(t==null)return e.
__&&oe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||
e.props.__P?null:oe(e)}function ao(e){var t,n=e.__v,r=n.__e,a=[],s=[],l=e.__P;l&&((t=ce({constructor:ke},n)).__v=n.__v+1,
$.vnode&&$.vnode(t),Ge(l,t,n,e.__n,l.namespaceURI,32&n.__u?[r]:null,a,r||oe(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,
Rt(a,t,s),n.__=n.__e=null,t.__e!=r&&Nt(t))}function Nt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(
function(t){return t&&(e.__e=t.__e)}),Nt(e)}function kt(e){(8&e.__g||(e.__g|=8,ne.push(e),Oe++))&&je==$.debounceRendering||
((je=$.debounceRendering)||queueMicrotask)(Pt)}function Pt(){try{for(var e,t=1;ne.length;)ne.length>t&&ne.sort(Tt),e=ne.
shift(),t=ne.length,8&e.__g&&ao(e)}finally{(Oe=ne.length)&&(je||queueMicrotask)(Pt)}}function Et(e,t,n,r,a,s,l,i,p,c,d){
var f,h,u,m,y,b,_=r.__k||De,g=t.length;for(p=so(n,t,_,p,g),f=0;f<g;f++)(u=n.__k[f])!=null&&(h=~u.__i&&_[u.__i]||Le,u.__i=
f,b=Ge(e,u,h,a,s,l,i,p,c,d),m=u.__e,(h.ref!=u.ref||8&h.__u)&&(h.ref&&Qe(h.ref,null,u,h),u.ref&&d.push(u.ref,u.__c||m,u)),
y=y||m,4&u.__u?(p=Bt(u,p,e,!h.__v),h.__e&&(h.__e=null)):typeof u.type=="function"&&b!==void 0?p=b:m&&(p=m.nextSibling),u.
__u&=-21);return n.__e=y,p}function so(e,t,n,r,a){var s,l,i,p,c,d,f,h,u,m=n.length,y=m,b=0,_=0,g=e.__k=Array(a);for(s=0;s<
a;s++)(l=t[s])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=g[s]=Ae(null,
l):Ve(l)?l=g[s]=Ae(N,{children:l}):l.constructor===ke&&l.__b?l=g[s]=Ae(l.type,l.props,l.key,l.ref,l.__v):g[s]=l,p=s+b,l.
__=e,l.__b=e.__b+1,i=null,~(c=l.__i=io(l,n,p,y))&&(y--,(i=n[c])&&(i.__u|=2)),i&&i.__v?(l.__u|=16,c==p-1?b--:c==p+1?b++:c!=
p&&(c>p?b--:b++,_=1)):(~c||(a>m?b--:a<m&&b++),typeof l.type!="function"&&(l.__u|=4))):g[s]=null;if(_){for(d=[],f=[],s=0;s<
a;s++)if((l=g[s])&&16&l.__u){for(b=0,h=d.length;b<h;)d[u=b+h>>1]<l.__i?b=u+1:h=u;d[b]=l.__i,f[s]=b+1}for(b=d.length;s--;)
f[s]&&(f[s]==b?b--:g[s].__u|=4)}if(y)for(s=0;s<m;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=oe(i)),Ze(i,i));return r}function Bt(e,t,n,r){
var a,s,l,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(a=e.__k)for(s=0;s<a.length;s++)a[s]&&(a[s].__=e,t=Bt(
a[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=oe(e))&&!t.parentNode&&(t=null),l=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;
for(l!=i&&(!r&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==
8&&!t.data.startsWith("$s"););return t}function io(e,t,n,r){var a,s=e.key,l=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&s==null||p&&s==i.key&&l==i.type)return n;
if(r>(p?1:0)){for(a=n-1;a>=0;a--)if((i=t[a])&&!(2&i.__u)&&s==i.key&&l==i.type)return a;for(a=n+1;a<t.length;a++)if((i=t[a])&&
!(2&i.__u)&&s==i.key&&l==i.type)return a}return-1}function xt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}
function Ee(e,t,n,r,a){var s,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||xt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||xt(e.style,t,n[t])}else if(t[0]=="o"&&
t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(l=qe[t]||(qe[t]=
lo(t)),(e.__a||(e.__a={}))[t]=ze,s=t!=(t=t.replace($t,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(
t,l,s):e.removeEventListener(t,l,s));else{if(a=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="c\
olSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===
!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function lo(e){return function(t){var n=this.
__e;if(n){if(n=n[e],t[Be]==null)t[Be]=ze++;else if(t[Be]<this.__a[e])return;return n($.event?$.event(t):t)}}}function Ge(e,t,n,r,a,s,l,i,p,c){
var d,f,h,u,m,y,b,_,g,S,T,z,bt,Pe,le,wt,te,de,Q=t.type;if(t.constructor!==ke)return null;128&n.__u&&(p=32&n.__u,d=n.__c.
__z)&&(t.__u|=p,f=s=[],d.nodeType==8?i=Me(d,s):s.push(d),i=s[0]||i),(d=$.__b)&&d(t);e:if(typeof Q=="function"){h=l.length;
try{if(_=t.props,g=(d=Q.prototype)&&d.render,S=(d=Q.contextType)&&r[d.__c],T=d?S?S.props.value:d.__:r,(u=n.__c)?(t.__c=u,
2&u.__g&&(u.__g|=1)):(g?t.__c=u=new Q(_,T):(t.__c=u=new Re(_,T),u.constructor=Q,u.render=co),S&&S.sub(u),u.state||(u.state=
{}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),g&&(u.__s||(u.__s=u.state),Q.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ce(
{},u.__s)),ce(u.__s,Q.getDerivedStateFromProps(_,u.__s)))),m=u.props,y=u.state,u.__v=t,n.__c){if(_!==m&&g&&!Q.getDerivedStateFromProps&&
u.componentWillReceiveProps&&u.componentWillReceiveProps(_,T),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&
u.shouldComponentUpdate(_,u.__s,T)===!1){t.__v!=n.__v&&(u.props=_,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(K){K&&(K.__=t)}),De.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&l.push(u),i=oe(n);break e}u.componentWillUpdate&&
u.componentWillUpdate(_,u.__s,T),g&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(m,y,b)})}else g&&!Q.
getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),g&&u.componentDidMount&&u.__h.push(u.componentDidMount);
u.context=T,u.props=_,u.__P=e,u.__g&=-5,z=$.__r,bt=g?25:0;do u.__g&=-9,z&&z(t),d=u.render(u.props,u.state=u.__s,u.context);while(8&
u.__g&&++bt<25);g&&(De.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=ce({},r,u.getChildContext())),
g&&n.__c&&u.getSnapshotBeforeUpdate&&(b=u.getSnapshotBeforeUpdate(m,y)),Pe=d&&d.type===N&&d.key==null?d.props.children:d,
_.__P&&(d=i,a=(e=_.__P).namespaceURI,p=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&Ze(K,K)}),n.__k=null),
i=n.__k?oe(n,0):null),i=Et(e,Ve(Pe)?Pe:[Pe],t,n,r,a,s,l,i,p,c),_.__P&&(t.__e=null,i=d),t.__u&=-161,f&&f.some(ue),u.__h.length&&
l.push(u),1&u.__g&&(u.__g&=-4)}catch(K){if(l.length=h,t.__v=null,p||s)if(K&&K.then){if(t.__u|=128|p,s){for(~(te=s.indexOf(
i||void 0))||(te=s.length);(de=s[te-1])&&de.nodeType==8;)te--;for(;te<s.length;te++)if(de=s[te])if(s[te]=null,le){if(de==
wt)break}else{if(de.nodeType!=8)break;de.data.startsWith("$s")&&(wt=Me(le=de))}}if(!le){for(;i&&i.nodeType==8&&i.nextSibling;)
i=i.nextSibling;le=i}(d=Me(le=t.__c.__z||(t.__c.__z=le)))?(t.__e=le,i=d):t.__e=i,i=i&&i.nextSibling}else s&&s.some(ue);else
t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||At(t),$.__e(K,t,n)}}else i=t.__e=uo(n.__e,t,n,r,a,s,l,p,c,e);return(d=$.
diffed)&&d(t),i}function Me(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==
8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function At(e){e&&(e.__c&&
(e.__c.__g|=4),e.__k&&e.__k.some(At))}function Rt(e,t,n){for(var r=0;r<n.length;)Qe(n[r++],n[r++],n[r++]);$.__c&&$.__c(t,
e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(s){s.call(a)})}catch(s){$.__e(s,a.__v)}})}function uo(e,t,n,r,a,s,l,i,p,c){
var d,f,h,u,m,y,b,_,g=n.props||Le,S=t.props,T=t.type;if(T=="svg"?a="http://www.w3.org/2000/svg":T=="math"?a="http://www.\
w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),s){for(d=0;d<s.length;d++)if((m=s[d])&&(T?m.localName==T:
m.nodeType==3)){e=m,s[d]=null;break}}if(!e){if(_=c.ownerDocument||document,!T)return _.createTextNode(S);e=_.createElementNS(
a,T,S.is?S:c),i&&($.__m&&$.__m(t,s),i=!1),s=null}if(T){if(c=T=="template"&&e.content||e,s=T=="textarea"&&S.defaultValue!=
null?null:s&&Ct.call(c.childNodes),!i&&s)for(g={},d=0;d<e.attributes.length;d++)g[(m=e.attributes[d]).name]=m.value;for(d in g)
m=g[d],d=="dangerouslySetInnerHTML"?h=m:d=="children"||d in S||d=="value"&&"defaultValue"in S||d=="checked"&&"defaultChe\
cked"in S||Ee(e,d,null,m,a);for(d in S)m=S[d],d=="children"?u=m:d=="dangerouslySetInnerHTML"?f=m:d=="value"?y=m:d=="chec\
ked"?b=m:i&&typeof m!="function"||g[d]===m||Ee(e,d,m,g[d],a);f?(i||h&&(f.__html==h.__html||f.__html==e.innerHTML)||(e.innerHTML=
f.__html),t.__k=[]):(h&&(e.textContent=""),(T=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&ro.test(T))&&(a=
"http://www.w3.org/1999/xhtml"),Et(c,Ve(u)?u:[u],t,n,r,a,s,l,s?s[0]:n.__k&&oe(n,0),i,p),s&&s.some(ue)),i&&T!="textarea"||
(d="value",T=="progress"&&y==null?e.removeAttribute(d):y==null||y===e[d]&&(T!="progress"||y)||Ee(e,d,y,g[d],a),d="checke\
d",b!=null&&b!=e[d]&&Ee(e,d,b,g[d],a))}else g===S||i&&e.data==S||(e.data=S);return e}function Qe(e,t,n,r){try{typeof e==
"function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(a){
$.__e(a,n)}}function Ze(e,t,n){var r,a,s,l;if($.unmount&&$.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Qe(r,null,
t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){$.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(l=
0;l<r.length;l++)r[l]&&Ze(r[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(a=Me(r,s=[]))&&(r==
e.__e&&s.some(ue),ue(a),ue(r)),n||ue(e.__e),e.__e=e.__c=e.__=null}function co(e,t,n){return this.constructor(e,n)}function Mt(e,t){
var n,r,a,s;$.__&&$.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Ae(N,{children:[e]}),
a=[],s=[],Ge(t,t.__k,r||Le,Le,t.namespaceURI,r?null:t.firstChild?Ct.call(t.childNodes):null,a,r?r.__e:t.firstChild,n,s),
Rt(a,t.__k,s),t.__k.props.children=null}$={__e:function(e,t,n,r){for(var a,s,l;t=t.__;)if((a=t.__c)&&!(1&a.__g)){a.__g|=4;try{if((l=(s=a.constructor)&&s.getDerivedStateFromError)&&
a.setState(s.getDerivedStateFromError(e)),a.componentDidCatch&&(a.componentDidCatch(e,r||{}),l=1),l&&8&a.__g)return void(a.
__g|=2)}catch(i){e=i}}throw Oe=0,e}},St=0,no=function(e){return e!=null&&e.constructor===ke},Re.prototype.setState=function(e,t){
var n=this.__s;n&&n!=this.state||(n=this.__s=ce({},this.state)),typeof e=="function"&&(e=e(ce({},n),this.props)),e&&(ce(
n,e),this.__v&&(t&&this.__k.push(t),kt(this)))},Re.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.
push(e),kt(this))},Re.prototype.render=N,ne=[],Oe=0,Tt=function(e,t){return e.__v.__b-t.__v.__b},Be=Symbol(),$t=/(PointerCapture)$|Capture$/i,
ze=0,qe={},oo=0;var ge,R,Ye,Ot,et=Object.is,Se=0,Ft=[],tt=[],B=$,Lt=B.__b,Dt=B.__r,It=B.diffed,Jt=B.__c,Ht=B.unmount,Xt=B.__;function Ie(e,t){
B.__h&&B.__h(R,e,Se||t),Se=0;var n=R.__H||(R.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function v(e){
return Se=1,po(jt,e)}function po(e,t,n){var r=Ie(ge++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):jt(void 0,t),function(s){var l=(r.
__N||r.__)[0],i=r.t(l,s);et(l,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=R,!R.__f)){R.__f=!0;var a=R.shouldComponentUpdate;
R.shouldComponentUpdate=function(s,l,i){var p=this.__H;if(!p)return!0;var c=!1,d=this.props!=s;if(p.__.some(function(h){
h.__N&&(c=!0,et(h.__[0],h.__N[0])||(d=!0))}),a){var f=a.call(this,s,l,i);return c?f||d:f}return!c||d}}return r.__}function P(e,t){
var n=Ie(ge++,3);!B.__s&&rt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,R.__H.__h.push(n))}function Kt(e,t){var n=Ie(ge++,4);!B.__s&&
rt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,R.__h.push(n))}function I(e){return Se=5,Z(function(){return{current:e}},[])}function Z(e,t){var n=Ie(ge++,7);return rt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ot(e,t){return Se=8,Z(function(){return e},
t)}function fo(){var e;do{for(;e=tt.shift();)try{xe(e)}catch(n){B.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ft.shift();){var t=e.
__H;if(e.__P&&t)try{t.__h.some(xe),t.__h.some(nt),t.__h=[]}catch(n){t.__h=[],B.__e(n,e.__v)}}}while(tt.length)}B.__b=function(e){
R=null,Lt&&Lt(e)},B.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Xt&&Xt(e,t)},B.__r=function(e){Dt&&Dt(e),ge=
0;var t=(R=e.__c).__H;t&&(Ye==R?R.__h=[]:(t.__h.some(xe),t.__h.some(nt),ge=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=
n.__N),n.u=n.__N=void 0})),Ye=R},B.diffed=function(e){It&&It(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Wt(Ft.push(t)),
t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ye=R=null},B.__c=function(e,t){t.some(function(n){try{n.__h.some(xe),n.__h=
n.__h.filter(function(r){return!r.__||nt(r)})}catch(r){n.__h=[function(){throw r}]}}),Jt&&Jt(e,t)},B.unmount=function(e){
Ht&&Ht(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||
!n.__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,Wt(tt.push(a))}else xe(a)}catch(s){t=s}}),r.__H=void 0,t&&B.__e(t,r.__v))};var Ut=typeof requestAnimationFrame==
"function";function mo(e){var t,n=function(){clearTimeout(r),Ut&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);
Ut&&(t=requestAnimationFrame(n))}function Wt(e){e!=1&&Ot==B.requestAnimationFrame||((Ot=B.requestAnimationFrame)||mo)(fo)}
function xe(e){var t=R,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),R=t}function nt(e){var t=R;e.__c=e.__(),R=t}function rt(e,t){
return!e||e.length!=t.length||t.some(function(n,r){return!et(n,e[r])})}function jt(e,t){return typeof t=="function"?t(e):
t}var qt={path:"/health",everyMs:3e3},at={path:"/topology",everyMs:1500};function zt(e){let{path:t}=at,n=e?.revision;return n===
void 0?t:`${t}?since=${encodeURIComponent(n)}`}function Vt(e){let t="";for(let n of ho(e)){let r=`${t===""?"":","}${encodeURIComponent(
n)}`;if(t.length+r.length>8e3)break;t+=r}return{path:`/overview?agent=${t}`,everyMs:5e3}}function ho(e){let t=(e.length-
1)/2;return e.map((n,r)=>({name:n,distance:Math.abs(r-t)})).toSorted((n,r)=>n.distance-r.distance).map(({name:n})=>n)}function st(e){
let t=encodeURIComponent(e),n=`/agents/${t}`;return{detail:{path:n,everyMs:1500},overview:{path:`/overview?agent=${t}`,everyMs:2e3},
mailbox:{path:`${n}/mailbox?limit=50`,everyMs:2e3},cost:{path:`/snapshot?agent=${t}`,everyMs:3e3},state:{path:`${n}/stat\
e`,everyMs:4e3},history:{path:`${n}/history`,everyMs:3e3},logs:{path:`${n}/logs?limit=200`,everyMs:2e3}}}var Y=class{#e;#t=new Set;constructor(t){this.#e=t}get value(){return this.#e}set(t){this.#e=t;for(let n of this.#t)n(t)}watch(t){
return this.#t.add(t),()=>{this.#t.delete(t)}}};function pe(e){let[t,n]=v(e.value);return P(()=>(n(e.value),e.watch(n)),
[e]),t}var U=class extends Error{status;body;constructor(t,n){super(typeof n.error=="string"?n.error:`the server answered ${t}`),
this.status=t,this.body=n}},lt=class extends Error{constructor(){super("the server does not answer")}},{prefix:go="",server:yo=""}=document.
body.dataset,Je=yo,j=new Y({kind:"unknown"}),fe=new Y(new Map);function ut(e){return`${go}${e}`}async function W(e,t={}){
let n=await ye(e,t);if(!(n instanceof U))return n;let r=n.status===401,a=n.status===403&&n.message.includes("x-agentrt-c\
srf");if(!r&&!a)throw n;if(r?await _e("The session is over. Sign in again."):await Qt()){let s=await ye(e,t);if(!(s instanceof
U))return s;throw s}throw n}async function ye(e,t){let{method:n="GET",body:r,headers:a,signal:s}=t,l=j.value,p=n!=="GET"&&
l.kind==="in"?{"x-agentrt-csrf":l.session.csrf_token}:{},c=r===void 0?{}:{"content-type":"application/json"},d,f;try{d=await fetch(
ut(e),{method:n,headers:{...c,...p,...a},credentials:"same-origin",cache:"no-store",redirect:"error",...r===void 0?{}:{body:JSON.
stringify(r)},...s===void 0?{}:{signal:s}}),f=await d.text()}catch(u){throw s?.aborted===!0?u:(dt(e,"no answer"),new lt)}
let h=_o(f);return dt(e,d.status>=500?`answers ${d.status}`:void 0),d.ok?{status:d.status,body:h}:new U(d.status,h??{})}
function _o(e){try{return e===""?void 0:JSON.parse(e)}catch{return{error:e.slice(0,200)}}}function dt(e,t){let n=e.replace(
/\?.*$/s,""),{value:r}=fe;if(r.get(n)===t)return;let a=new Map(r);t===void 0?a.delete(n):a.set(n,t),fe.set(a)}function He(e){
dt(e,void 0)}var it,Gt=!1;async function _e(e=""){return it??=vo(e).finally(()=>{it=void 0}),await it}async function Qt(){
let e=await ye("/console/session",{});if(e instanceof U)return!1;let{needs_key:t,session:n}=e.body;return Gt=t,n===null?
!1:(j.set({kind:"in",session:n}),!0)}async function vo(e){if(j.value.kind==="in")await ye("/console/session",{method:"DE\
LETE"});else if(await Qt())return!0;return Gt?(j.set({kind:"out",notice:e}),!1):await ct(e)}async function ct(e){let t=await pt(
{});return t===void 0?!0:(j.set({kind:"out",notice:t.status===401?e:t.message}),!1)}async function pt(e){let t=await ye(
"/console/session",{method:"POST",headers:e});if(t instanceof U)return t;let{session:n}=t.body;if(n===null)return new U(
401,{error:"no session came"});j.set({kind:"in",session:n})}async function Zt(){try{await ye("/console/session",{method:"\
DELETE"})}catch{}j.set({kind:"out",notice:"You are signed out.",isLeft:!0})}function re(e){let{value:t}=j;return t.kind===
"in"&&(t.session.scopes?.includes(e)??!0)}function O(e){let t=Math.abs(e);return t<.01?`${Math.round(t*1e4)/10} ms`:t<1?`${Math.round(t*1e3)} ms`:t<60?`${t<10?Math.
round(t*10)/10:Math.round(t)} s`:t<3600?`${Math.round(t/60)} min`:t<86400?`${Math.round(t/360)/10} h`:`${Math.round(t/8640)/
10} d`}function me(e){let t=Date.now()/1e3-e;return t<1?"now":`${O(t)} ago`}function Te(e){let t=e-Date.now()/1e3;return t<=
0?"over":`in ${O(t)}`}function ee(e){let t=new Date(e*1e3);if(Number.isNaN(t.getTime()))return String(e);let n=(s,l=2)=>String(
s).padStart(l,"0"),r=`${t.getFullYear()}-${n(t.getMonth()+1)}-${n(t.getDate())}`,a=`${n(t.getHours())}:${n(t.getMinutes())}\
:${n(t.getSeconds())}`;return`${r} ${a}.${n(t.getMilliseconds(),3)}`}function ve(e){return e===0?"$0":e<.01?`$${e.toFixed(
5)}`:`$${e.toFixed(2)}`}function J(e){return String(Math.round(e)).replaceAll(/\B(?=(\d{3})+$)/g," ")}function G(e){return JSON.
stringify(e,null,2)??""}function V(e){return typeof e=="string"?e:JSON.stringify(e)??""}function be(e){return Object.entries(
e).map(([t,n])=>`${t}=${V(n)}`).join(" ")}function C(e,t,n=`${t}s`){return`${J(e)} ${e===1?t:n}`}var bo=50,ae=new Map,Yt;j.watch(e=>{if(e.kind==="unknown")return;(e.kind==="in"?e.session.principal===Yt:!e.isLeft)||ae.
clear(),e.kind==="in"&&(Yt=e.session.principal)});function se(e,t){let[n,r]=v(ae.get(e)??t);return[n,s=>{r(s),ae.delete(
e),s!==t&&ae.set(e,s);for(let l of ae.keys()){if(ae.size<=bo)break;ae.delete(l)}},()=>{ae.delete(e)}]}var wo=Symbol.for("pv"),ko=0;function o(e,t,n,r,a,s){t||(t={});var l,i,p=t;if("ref"in p&&typeof e!="function")for(i in p={},t)i=="ref"?l=t[i]:p[i]=t[i];
var c={type:e,props:p,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:wo,__v:--ko,__i:-1,__u:0};return(a||
s)&&(c.__source=a,c.__self=s),$.vnode&&$.vnode(c),c}var xo={RUNNING:["●","good"],INITIALIZING:["◔","wait"],SUSPENDED:["‖","wait"],STOPPING:["◑","wait"],STOPPED:["○",
"dull"],CRASHED:["✖","bad"],pending:["◔","wait"],approved:["✔","good"],denied:["✖","bad"],ok:["✔","good"],error:[
"✖","bad"],expired:["○","dull"]};function q(e){let{status:t,isBelow:n=!1}=e,[r,a]=xo[t]??["◌","dull"];return o("sp\
an",{class:`status ${a}`,children:[o("span",{class:"mark","aria-hidden":"true",children:r}),t,n?" below":""]})}function E({
at:e}){return o("time",{title:ee(e),children:me(e)})}function k(e){return o("section",{class:e.isWide===!0?"panel wide":
"panel",children:[o("header",{children:[o("h2",{children:e.title}),e.extra]}),e.children]})}function H(e){return o("dl",
{class:"facts",children:e.facts.map(([t,n])=>o("div",{children:[o("dt",{children:t}),o("dd",{children:n})]},t))})}function X({
value:e,label:t}){return o("pre",{class:"code",tabIndex:0,role:"region","aria-label":t,children:G(e)})}function w({children:e}){
return o("p",{class:"nothing",children:e})}function A({refusal:e}){return e===void 0?null:o("p",{class:"refused",role:"a\
lert",children:e.message})}function $e({unread:e}){let t=new Set(e.map(({source:n,reason:r})=>`${n} cannot be read: ${r}`));
return t.size===0?null:o("p",{class:"refused",role:"alert",children:[...t].join(`
`)})}function M(e){return o("div",{class:"scroll",tabIndex:0,role:"region","aria-label":e.label,children:o("table",{children:[
o("thead",{children:o("tr",{children:e.columns.map(({name:t,isNumber:n})=>o("th",{scope:"col",class:n===!0?"number":"",children:t},
t))})}),o("tbody",{children:e.rows.map((t,n)=>o("tr",{children:e.columns.map(({name:r,show:a,isNumber:s})=>o("td",{"data\
-name":r,class:s===!0?"number":"",children:a(t)},r))},e.keyOf(t,n)))})]})})}function ie({question:e,onClose:t}){let n=I(
null),[r,a,s]=se(`question ${e.title}`,""),[l,i]=v(!1),[p,c]=v("");P(()=>{let y=document.activeElement;return n.current?.
showModal(),()=>{y instanceof HTMLElement&&y.focus()}},[]);let d=async()=>{i(!0),c("");try{await e.act(r.trim()),s(),t()}catch(y){
c(y instanceof Error?y.message:String(y)),i(!1)}},{title:f,verb:h,asksFor:u,isDangerous:m=!1}=e;return o("dialog",{ref:n,
onClose:t,"aria-labelledby":"question",children:o("form",{onSubmit:y=>{y.preventDefault(),l||d()},children:[o("h2",{id:"\
question",children:f}),o("div",{class:"text",children:e.text}),u===void 0?null:o("label",{children:[u,o("input",{value:r,
onInput:y=>a(y.currentTarget.value)})]}),p===""?null:o("p",{class:"refused",role:"alert",children:p}),o("div",{class:"bu\
ttons",children:[o("button",{type:"button",onClick:t,children:"Cancel"}),o("button",{class:m?"danger":"primary",disabled:l,
children:h})]})]})})}function D({children:e}){let t=I(null);return P(()=>t.current?.focus({preventScroll:!0}),[]),o("h1",
{ref:t,tabIndex:-1,children:e})}function en(e){let{agent:t}=e,[n,r]=v();if(!re("operate"))return null;let a=(i,p)=>async()=>{await W(`/agents/${encodeURIComponent(
t.name)}/${i}`,{method:"POST",body:p}),e.onDone()},s=i=>async p=>await a(i,p===""?{}:{reason:p})(),l=[{title:`Suspend ${t.
name}?`,text:o("p",{children:"It finishes the message at hand and then waits. What comes meanwhile is kept."}),verb:"Sus\
pend",asksFor:"Reason",act:s("suspend"),isThere:t.suspension===null},{title:`Drain ${t.name}?`,text:o("p",{children:"It \
handles what waits, takes nothing new, and is suspended then."}),verb:"Drain",asksFor:"Reason",act:s("drain"),isThere:t.
suspension===null&&t.draining===void 0},{title:`Resume ${t.name}?`,text:o("p",{children:"It goes on with the messages th\
at wait."}),verb:"Resume",act:a("resume",{}),isThere:t.suspension!==null||t.draining!==void 0},{title:`Restart ${t.name}\
?`,text:o("p",{children:["A new object takes its place."," ",t.at_hand.length===0?"No message is":`${t.at_hand.length} a\
t hand get time to end, and are lost then;`," ",t.mailbox.depth," waiting are kept."]}),verb:"Restart",isDangerous:!0,asksFor:"\
Reason",act:s("restart"),isThere:!0}];return o("div",{class:"actions",children:[l.filter(({isThere:i})=>i).map(i=>o("but\
ton",{class:i.isDangerous===!0?"danger":"",onClick:()=>r(i),children:i.verb},i.verb)),n===void 0?null:o(ie,{question:n,onClose:()=>r(
void 0)})]})}var[So,To]=[240,20],$o=20,we=new Map;function tn(e,t){let n=we.get(e)??[],r=t?.agents.find(l=>l.name===e);if(t===void 0||
r===void 0||t.timestamp<=(n.at(-1)?.at??0))return n;let a={at:t.timestamp,handled:r.messages_handled,errors:r.errors,latencySumMs:r.
latency_sum_ms,latencyCount:r.latency_count},s=[...n,a].slice(-So);we.delete(e),we.set(e,s);for(let l of we.keys()){if(we.
size<=To)break;we.delete(l)}return s}function ft(e,t){return on(e,(n,r)=>{let a=r[t]-n[t];return a<0?null:a/(r.at-n.at)})}
function nn(e){return on(e,(t,n)=>{let r=n.latencyCount-t.latencyCount;return r<=0?null:Math.max(0,n.latencySumMs-t.latencySumMs)/
r})}function on(e,t){return e.slice(1).map((n,r)=>{let a=e[r]??n,s=n.at-a.at>$o;return{at:n.at,value:s?null:t(a,n)}})}function rn(e,{
width:t,height:n,most:r}){let a=e[0]?.at??0,s=Math.max(1,(e.at(-1)?.at??a)-a),l="",i=!1;for(let{at:p,value:c}of e){if(c===
null){i=!1;continue}let d=(p-a)/s*t,f=n-(r===0?0:c/r)*n,h=`${d.toFixed(1)} ${f.toFixed(1)}`;l+=i?`L${h}`:`M${h}h0.1`,i=!0}
return l}function dn(e){let t=tn(e.name,e.body),n=(t.at(-1)?.at??0)-(t[0]?.at??0);return o(k,{title:"Lately",extra:o("span",{class:"\
dull",children:n===0?"":`the last ${O(n)}`}),children:t.length<2?o(w,{children:e.body===void 0?"…":"Counting from now \
on."}):o("div",{class:"charts",children:[o(mt,{title:"Messages",points:ft(t,"handled"),show:an}),o(mt,{title:"Errors",points:ft(
t,"errors"),show:an,isBad:!0}),o(mt,{title:"Mean time",points:nn(t),show:Co})]})})}function an(e){return e===0?"0 /s":e<
10?`${e.toPrecision(2)} /s`:`${Math.round(e)} /s`}function Co(e){return O(e/1e3)}var[sn,ln]=[240,48];function mt(e){let{
title:t,points:n,show:r,isBad:a=!1}=e,s=n.flatMap(({value:d})=>d??[]),l=Math.max(0,...s),i=s.at(-1),p=i===void 0?"none":
r(i),c=rn(n,{width:sn,height:ln,most:l});return o("figure",{class:"chart",children:[o("figcaption",{children:[t," ",o("b",
{children:p})," ",l===0?null:o("span",{class:"dull",children:["at most ",r(l)]})]}),o("svg",{role:"img","aria-label":`${t}\
: now ${p}, at most ${r(l)}`,viewBox:`0 -2 ${sn} ${ln+4}`,preserveAspectRatio:"none",children:o("path",{class:a?"curve b\
ad":"curve",d:c})})]})}function ht({counted:e}){return o(H,{facts:[["Handled",J(e.messages_handled)],["Mean time",`${Math.round(e.avg_latency_ms*
10)/10} ms`],["Errors",J(e.errors)],["Tokens in / out",`${J(e.tokens_in)} / ${J(e.tokens_out)}`],["Cost",ve(e.cost_usd)]]})}
function cn({counters:e}){let t=Object.entries(e.models);return o(N,{children:[o(ht,{counted:e}),t.length===0?null:o(M,{
label:"Use of models",rows:t,keyOf:([n])=>n,columns:[{name:"Model",show:([n])=>n},{name:"Calls",show:([,n])=>J(n.calls),
isNumber:!0},{name:"Tokens",show:([,n])=>J(n.tokens_in+n.tokens_out),isNumber:!0},{name:"Cost",show:([,n])=>`${ve(n.cost_usd)}${n.
unpriced_calls>0?`, ${J(n.unpriced_calls)} unpriced`:""}`,isNumber:!0}]})]})}function pn(e){let{budgets:t}=e;return t.length===
0?null:o("ul",{class:"budgets","aria-label":"Budgets",children:t.flatMap(n=>[o(un,{budget:n,unit:"usd",of:e.of},`${n.name}\
 usd`),o(un,{budget:n,unit:"tokens",of:e.of},`${n.name} tokens`)])})}function un(e){let{budget:t,unit:n}=e,r=n==="usd"?t.
limit_usd:t.limit_tokens;if(r===null)return null;let a=n==="usd"?t.spent_usd+t.reserved_usd:t.spent_tokens+t.reserved_tokens,
s=n==="usd"?ve:d=>`${J(d)} tokens`,l=r===0?1:Math.min(1,a/r),i=t.frees_at===null?"":`, free again ${Te(t.frees_at)}`,p=t.
name===e.of?"":` for all of ${t.name}`,c=`${s(a)} of ${s(r)} per ${t.per}${p}${i}`;return o("li",{children:[o("span",{children:c}),
o("meter",{min:0,max:1,high:.9,value:l,"aria-label":c})]})}var Xe=class{#e;#t=!1;#a=!1;#n;#s=0;#o=()=>{};constructor(t){this.#e=t}askNow(){this.#n="now",this.#r()}askSoon(){this.#n===
void 0&&(this.#n="soon",this.#r())}end(){this.#a=!0,this.#o()}#r(){if(this.#t||this.#a)return;this.#o();let{clock:t,isSeen:n}=this.#e;
this.#n!=="now"&&!n()||(this.#o=t.after(this.#i(),()=>{this.#l()}))}#i(){if(this.#n==="now")return 0;let t=this.#n==="so\
on"?200:this.#e.everyMs;return Math.max(t,this.#s-this.#e.clock.nowMs())}async#l(){let{ask:t,clock:n}=this.#e,r=n.nowMs();
this.#t=!0,this.#n=void 0,await t(),this.#t=!1;let a=n.nowMs();this.#s=a+Math.min(3e4,20*(a-r)),this.#r()}};function F(e,t){return L(e?.path,e?.everyMs??0,t)}function L(e,t,n){let[r,a]=v({data:void 0,refusal:void 0}),s=I(void 0),
l=I(n);l.current=n,P(()=>{if(e===void 0)return;let d=new AbortController,{signal:f}=d,h,u=async()=>{try{let{status:b,body:_}=await W(
l.current?.(h)??e,{signal:f});if(f.aborted||b===204)return;h=_,a({data:_,refusal:void 0,of:e})}catch(b){if(f.aborted||!(b instanceof
U))return;a(_=>({data:_.of===e&&b.status!==404?_.data:void 0,refusal:b,of:e}))}},m=new Xe({everyMs:t,ask:u,isSeen:fn,clock:No}),
y=()=>{fn()&&m.askNow()};return document.addEventListener("visibilitychange",y,{signal:f}),s.current=m,m.askNow(),()=>{d.
abort(),m.end(),He(e)}},[e,t]);let i=ot(()=>s.current?.askNow(),[]),p=ot(()=>s.current?.askSoon(),[]),c=r.of===e;return{
data:c?r.data:void 0,refusal:c?r.refusal:void 0,refresh:i,refreshSoon:p}}function fn(){return document.visibilityState===
"visible"}var No={nowMs:()=>performance.now(),after:(e,t)=>{let n=setTimeout(t,e);return()=>clearTimeout(n)}};var gt=new Y(mn());addEventListener("hashchange",()=>gt.set(mn()));function mn(){let[e="",t=""]=location.hash.replace(/^#\/?/,
"").split("?",2),[n="",r=""]=e.split("/",2);return{page:n===""?"tree":n,about:Po(r),query:new URLSearchParams(t)}}function Po(e){
try{return decodeURIComponent(e)}catch{return e}}function x(e,t="",n={}){let r=t===""?`#/${e}`:`#/${e}/${encodeURIComponent(
t)}`,a=Object.entries(n).filter(([,s])=>s!=="");return a.length===0?r:`${r}?${new URLSearchParams(a)}`}var[hn,Eo]=[100,1e3],Bo=["RUNNING","SUSPENDED","CRASHED","INITIALIZING","STOPPED"];function gn(e,{limit:t,text:n,status:r}){
let a=new URLSearchParams({limit:String(t)});return n!==""&&a.set("contains",n),r!==""&&a.set("status",r),`/agents/${encodeURIComponent(
e)}/keys?${a}`}function yn({name:e}){let[t,n]=v(""),[r,a]=v(""),[s,l]=v(hn),{data:i,refusal:p}=L(gn(e,{limit:s,text:t,status:r}),
3e3),c=i?.next!==void 0&&i.next!==null;return o(k,{title:"Keys",isWide:!0,children:[o("div",{class:"line",children:[o("l\
abel",{children:["Keys that contain",o("input",{type:"search",value:t,onInput:d=>n(d.currentTarget.value)})]}),o("label",
{children:["Of status",o("select",{value:r,onChange:d=>a(d.currentTarget.value),children:[o("option",{value:"",children:"\
any status"}),Bo.map(d=>o("option",{children:d},d))]})]})]}),o(A,{refusal:p}),o($e,{unread:i?.unread??[]}),i===void 0||i.
keys.length===0?o(w,{children:i===void 0?"…":"No key is there that fits."}):o(Ao,{keys:i.keys}),c?o("p",{class:"line",
children:[o("span",{class:"dull",children:[C(i.keys.length,"key")," are shown, and there are more."]}),s<Eo?o("button",{
onClick:()=>l(s+hn),children:"Show more"}):null]}):null]})}function Ao({keys:e}){return o(M,{label:"Keys",rows:e,keyOf:({
name:t})=>t,columns:[{name:"Key",show:({key:t,name:n})=>o("a",{href:x("agents",n),children:t})},{name:"Status",show:({status:t})=>o(
q,{status:t})},{name:"Waiting",show:({mailbox_depth:t})=>t,isNumber:!0},{name:"Restarts",show:({restart_count:t})=>t,isNumber:!0},
{name:"Up",show:({uptime_seconds:t})=>O(t),isNumber:!0}]})}function _n(e){let{data:t}=L(gn(e.name,e),3e3);return P(()=>{
t!==void 0&&e.onKeys(e.name,t)},[t]),null}function vn({lines:e}){return e===void 0||e.length===0?o(w,{children:e===void 0?"…":"No line yet."}):o("ol",{class:"lo\
g",tabIndex:0,"aria-label":"Log lines, latest first",children:e.toReversed().map((t,n)=>o(Ro,{line:t},e.length-n))})}function Ro({
line:e}){let{agent:t,time:n,level:r,message:a,traceId:s,spanId:l,...i}=e,p=typeof s=="string"?s:"";return o("li",{class:V(
r),children:[o("time",{children:V(n).replace("T"," ").replace("Z","")})," ",o("b",{children:V(r)})," ",V(a)," ",o("span",
{class:"fields",children:be(i)})," ",p===""?null:o("a",{href:x("traces",p),children:["trace ",p.slice(0,8)]})]})}function bn({name:e}){let t=st(e),n=F(t.detail),{data:r,refusal:a}=n,s=r!==void 0&&r.kind!=="key",l=F(s?t.overview:void 0);
return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o("p",{class:"crumbs",children:[o("a",{
href:x("tree"),children:"Tree"})," ",o("span",{"aria-hidden":"true",children:"/"})," ",r?.above.map(i=>o("span",{children:[
e.startsWith(`${i}/`)?o("a",{href:x("agents",i),children:i}):i," ",o("span",{"aria-hidden":"true",children:"/"})," "]},i))]}),
o(D,{children:e}),r===void 0?null:o(q,{status:r.status}),r===void 0?null:o(en,{agent:r,onDone:n.refresh})]}),o(A,{refusal:a}),
r===void 0?a===void 0?o(w,{children:"Loading…"}):null:o("div",{class:"panels",children:[o("div",{class:"column",children:[
o(Lo,{agent:r}),o(Mo,{agent:r}),o(Do,{agent:r}),o(Jo,{agent:r,row:l.data?.agents[0]})]}),o("div",{class:"column",children:[
r.kind==="key"?null:o(dn,{name:e,body:l.data}),r.kind==="keyed"?o(yn,{name:e}):null,o(Io,{asked:t.mailbox})]}),o("div",{
class:"column",children:[o(Ho,{asked:t.state}),o(Xo,{asked:t.history})]}),o(Uo,{asked:t.logs})]})]})}function Mo({agent:e}){
let{mailbox:t,at_hand:n,waits_for:r,listeners:a=[],placement:s={}}=e,l=[["Class",e.class===null?e.kind:`${e.class} (${e.
kind})`],["Process",e.process_id],["Up",O(e.uptime_seconds)],["Restarts",e.restart_count],["Waiting",t.oldest_timestamp===
null?t.depth:`${t.depth}, the oldest for ${me(t.oldest_timestamp).replace(" ago","")}`],["Model turns",e.session_turn_count]];
e.capabilities.length>0&&l.push(["Capabilities",e.capabilities.join(", ")]),r!==void 0&&l.push(["Waits for",o(N,{children:[
`the ${r.kind} ${r.name}, since `,o(E,{at:r.since})]})]),e.waits_for_state===!0&&l.push(["Waits for","the state store"]);
for(let{protocol:i,host:p,port:c}of a)l.push(["Listens",`${i} ${p}:${c}`]);for(let[i,p]of Object.entries(s))l.push([`On ${i}`,
p]);return o(k,{title:"Now",extra:o("a",{href:x("traces","",{agent:e.name}),children:"Traces"}),children:[o(H,{facts:l}),
n.length===0?o(w,{children:"No message is at hand."}):o(M,{label:"Messages at hand",rows:n,keyOf:({id:i})=>i,columns:[{name:"\
At hand",show:({type:i})=>i},{name:"From",show:({sender:i})=>o(wn,{name:i})},{name:"Since",show:({since:i})=>o(E,{at:i})},
{name:"Attempt",show:({attempt:i})=>i+1,isNumber:!0},{name:"Trace",show:({trace_id:i})=>o(Oo,{id:i})}]})]})}function wn({
name:e}){return e===""?o("span",{class:"dull",children:"outside"}):o("a",{href:x("agents",e),children:e})}function Oo({id:e}){
return e===""?o(N,{}):o("a",{href:x("traces",e),children:e.slice(0,8)})}function Lo({agent:e}){let{suspension:t,draining:n,
approvals:r=[]}=e;if(t===null&&n===void 0)return null;let a=[];n!==void 0&&a.push(["Draining",n.reason],["By",n.initiated_by],
["Since",o(E,{at:n.since})]),t!==null&&a.push([t.halted===!0?"Halted":"Reason",t.reason],["Category",t.category],["By",t.
initiated_by??"unknown"],["Since",o(E,{at:t.since})],["Survives a restart",t.durable?"yes":"no"]);for(let s of r)a.push(
["Waits for",o("a",{href:x("approvals",s),children:["approval ",s]})]);return o(k,{title:t===null?"Draining":"Suspended",
children:o(H,{facts:a})})}function Do({agent:e}){let{last_crash:t}=e;return t===null?null:o(k,{title:"Last crash",extra:o(
"a",{href:x("crashes",t.id),children:"Details"}),children:o(H,{facts:[["When",o(E,{at:t.timestamp})],["Reason",t.reason],
["Message",t.message],["At",t.at??"unknown"]]})})}function Io({asked:e}){let{data:t,refusal:n}=F(e),r=t?.depth??0;return o(
k,{title:"Mailbox",extra:o("span",{class:"dull",children:r===0?"":`${r} wait`}),children:[o(A,{refusal:n}),t===void 0||t.
messages.length===0?o(w,{children:t===void 0?"…":"No message waits."}):o(M,{label:"Messages that wait",rows:t.messages,
keyOf:({id:a})=>a,columns:[{name:"Type",show:({type:a})=>a},{name:"From",show:({sender:a})=>o(wn,{name:a})},{name:"Sent",
show:({timestamp:a})=>o(E,{at:a})},{name:"Priority",show:({priority:a})=>a,isNumber:!0}]})]})}function Jo(e){let{name:t,
above:n}=e.agent,{data:r}=F(st(t).cost),a=r?.agents[t],s=new Set([t,...n]);return o(k,{title:"Work, cost and budget",children:[
a!==void 0?o(cn,{counters:a}):e.row!==void 0?o(ht,{counted:e.row}):o(w,{children:"Nothing is counted yet."}),o(pn,{budgets:(r?.
budgets??[]).filter(l=>s.has(l.name)),of:t})]})}function Ho({asked:e}){let{data:t,refusal:n}=F(e);return o(k,{title:"Sta\
te",extra:o("span",{class:"dull",children:"without secrets"}),children:[o(A,{refusal:n}),t===void 0?null:t.state===null?
o(w,{children:"There is no object of it."}):o(X,{value:t.state,label:"State"})]})}function Xo({asked:e}){let{data:t,refusal:n}=F(
e),r=(t?.history??[]).toReversed();return o(k,{title:"History",children:[o(A,{refusal:n}),r.length===0?o(w,{children:t===
void 0?"…":"Nothing yet."}):o("ol",{class:"history",tabIndex:0,"aria-label":"History, latest first",children:r.map(({event:a,
timestamp:s,...l},i)=>o("li",{children:[o(E,{at:Number(s)})," ",o("b",{children:V(a)})," ",o("span",{class:"fields",children:be(
l)})]},`${V(s)}-${i}`))})]})}function Uo({asked:e}){let{data:t,refusal:n}=F(e);return o(k,{title:"Logs",isWide:!0,children:[
o(A,{refusal:n}),o(vn,{lines:t?.lines})]})}function xn(e,t){let n=e.split(`
`),r=t.split(`
`);if(n.length*r.length>4e6)return[...n.map(kn),...r.map(p=>({kind:"new",text:p}))];let a=Wo(n,r),s=[],l=0,i=0;for(;l<n.
length||i<r.length;){let p=n[l],c=r[i];p!==void 0&&p===c?(s.push({kind:"same",text:p}),l+=1,i+=1):c===void 0||p!==void 0&&
Ce(a,l+1,i)>=Ce(a,l,i+1)?(s.push(kn(p??"")),l+=1):(s.push({kind:"new",text:c}),i+=1)}return s}function kn(e){return{kind:"\
gone",text:e}}function Ce(e,t,n){return e[t]?.[n]??0}function Wo(e,t){let n=Array.from({length:e.length+1},()=>new Uint16Array(
t.length+1));for(let r=e.length-1;r>=0;r-=1)for(let a=t.length-1;a>=0;a-=1){let s=n[r];s!==void 0&&(s[a]=e[r]===t[a]?Ce(
n,r+1,a+1)+1:Math.max(Ce(n,r+1,a),Ce(n,r,a+1)))}return n}var Fo={same:" ",gone:"-",new:"+"};function he(e){return o("pre",{class:"code diff",tabIndex:0,role:"region","aria-label":e.
label??"What was edited",children:xn(G(e.before),G(e.after)).map(({kind:t,text:n},r)=>o("span",{class:t,children:`${Fo[t]}\
 ${n}
`},r))})}var Ko=["pending","approved","denied","expired"];function Sn({id:e}){let[t,n]=v("pending"),r=`/approvals?limit=200${t===
""?"":`&status=${t}`}`,{data:a,refusal:s,refresh:l}=L(r,2e3);return o("main",{class:"page",id:"main",children:[o("div",{
class:"bar",children:[o(D,{children:"Approvals"}),o("select",{"aria-label":"Approvals of status",value:t,onChange:i=>n(i.
currentTarget.value),children:[Ko.map(i=>o("option",{children:i},i)),o("option",{value:"",children:"any status"})]}),o("\
span",{class:"dull",role:"status",children:a===void 0?"":`${C(a.approvals.length,"approval")}${a.next===null?"":" and mo\
re"}`})]}),o(A,{refusal:s}),a?.groups_unread===void 0?null:o("p",{class:"refused",role:"alert",children:["Some are missi\
ng: the states of process group ",a.groups_unread.join(", ")," cannot be read."]}),o("div",{class:"sides",children:[o(jo,
{approvals:a?.approvals,current:e}),e===""?o(w,{children:"Choose one to see what would be done."}):o(qo,{id:e,onDone:l},
e)]})]})}function jo(e){return e.approvals===void 0?o(w,{children:"Loading…"}):e.approvals.length===0?o(w,{children:"N\
othing is to be decided."}):o("ul",{class:"list","aria-label":"Approvals",children:e.approvals.map(({id:t,agent:n,kind:r,
status:a,created_at:s,expires_at:l})=>o("li",{children:o("a",{href:x("approvals",t),"aria-current":t===e.current?"true":
void 0,children:[o("b",{children:r})," ",o(q,{status:a}),o("span",{class:"dull",children:[n,", ",o(E,{at:s}),a==="pendin\
g"?`, ends ${Te(l)}`:""]})]})},t))})}function qo(e){let t=`/approvals/${encodeURIComponent(e.id)}`,{data:n,refusal:r,refresh:a}=L(
t,2e3);if(n===void 0)return r===void 0?o(w,{children:"Loading…"}):o(A,{refusal:r});let s=()=>{a(),e.onDone()},{edited_payload:l}=n;
return o("div",{class:"stack",children:[o(k,{title:n.kind,extra:o(q,{status:n.status}),children:[o(H,{facts:[["Agent",o(
"a",{href:x("agents",n.agent),children:n.agent})],["Asked",o(E,{at:n.created_at})],[n.status==="pending"?"Ends":"Would h\
ave ended",n.status==="pending"?Te(n.expires_at):o(E,{at:n.expires_at})],["Id",n.id],...n.decided_at===null?[]:[["Decide\
d",o(E,{at:n.decided_at})],["By",n.principal??"nobody"],["The agent has got it",n.delivered?"yes":"not yet"]],...n.note===
null?[]:[["Note",n.note]]]}),o("h3",{children:"Payload"}),l===null?o(X,{value:n.payload,label:"Payload"}):o(he,{before:n.
payload,after:l})]}),n.status==="pending"&&re("approve")?o(Vo,{approval:n,onDone:s}):null]})}function zo(e,t){if(e!==G(t))
try{let n=JSON.parse(e);return typeof n!="object"||n===null||Array.isArray(n)?"The payload must be an object.":G(n)===G(
t)?void 0:n}catch(n){return n instanceof Error?n.message:String(n)}}function Vo(e){let{approval:t}=e,n=G(t.payload),[r,a,
s]=se(`payload of ${t.id}`,n),[l,i,p]=se(`note on ${t.id}`,""),[c,d]=v(),f=zo(r,t.payload),h=(_,g)=>async()=>{await W(`/\
approvals/${encodeURIComponent(t.id)}/${_}`,{method:"POST",body:g}),s(),p(),e.onDone()},u=l.trim()===""?{}:{note:l.trim()},
m=typeof f=="object",y={title:`Approve ${t.kind} of ${t.agent}?`,text:m?o(he,{before:t.payload,after:f}):o(X,{value:t.payload,
label:"Payload"}),verb:m?"Approve as edited":"Approve",act:h("approve",{...u,...m?{payload:f}:{}})},b={title:`Deny ${t.kind}\
 of ${t.agent}?`,text:o("p",{children:"The agent gets the denial, and can ask again."}),verb:"Deny",isDangerous:!0,act:h(
"deny",u)};return o(k,{title:"Decide",children:[t.schema===null?o("p",{class:"dull",children:"This payload cannot be edi\
ted."}):o(N,{children:[o("label",{children:["Payload to approve",o("textarea",{spellcheck:!1,value:r,onInput:_=>a(_.currentTarget.
value)})]}),typeof f=="string"?o("p",{class:"refused",children:f}):null,m?o(he,{before:t.payload,after:f}):null,o("detai\
ls",{children:[o("summary",{children:"What it has to fit"}),o(X,{value:t.schema,label:"Schema"})]})]}),o("label",{children:[
"Note, for the audit log",o("input",{maxLength:4096,value:l,onInput:_=>i(_.currentTarget.value)})]}),o("div",{class:"but\
tons",children:[o("button",{class:"danger",onClick:()=>d(b),children:"Deny"}),o("button",{class:"primary",disabled:typeof f==
"string",onClick:()=>d(y),children:y.verb})]}),c===void 0?null:o(ie,{question:c,onClose:()=>d(void 0)})]})}function $n({record:e}){let{messages:t,answers:n,source:r,versions:a}=e;return o(N,{children:[o(Qo,{record:e}),o(Zo,{record:e}),
r.map(s=>o(Yo,{place:s},`${s.file}:${s.line}:${s.column}`)),o(k,{title:"Handled since the checkpoint",isWide:!0,children:t.
length===0?o(w,{children:"Nothing was."}):o(M,{label:"Messages that were handled since the checkpoint",rows:t,keyOf:({id:s,
sequence:l})=>`${l} ${s}`,columns:[{name:"No.",show:({sequence:s})=>s,isNumber:!0},{name:"Type",show:({type:s,verb:l})=>`${s}\
 (${l})`},{name:"From",show:({sender:s})=>s===""?"outside":s},{name:"Payload",show:({payload:s,id:l})=>o(yt,{value:s,label:`\
Payload of ${l}`})}]})}),o(k,{title:"Answers since then",isWide:!0,children:n.length===0?o(w,{children:"No model, tool o\
r agent answered."}):o(M,{label:"Answers",rows:n,keyOf:(s,l)=>String(l),columns:[{name:"Of",show:({kind:s,name:l})=>`${s}\
 ${l}`},{name:"For message",show:({sequence:s})=>s,isNumber:!0},{name:"Took",show:({took_ms:s})=>O(s/1e3),isNumber:!0},{
name:"Asked",show:({request:s,name:l})=>o(yt,{value:s,label:`Question to ${l}`})},{name:"Answered",show:({reply:s,error:l,
name:i})=>o(yt,{value:s??l,label:`Answer of ${i}`})}]})}),o(k,{title:"Versions",children:o(H,{facts:[["agentrt",a.agentrt],
["Node",a.node],["Platform",a.platform],["Spans of the trace",e.spans.length]]})})]})}function Go(e){return/^[\w@%+=:,./-]+$/.
test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Qo({record:e}){let{repeat:t,replay:n}=e,[r,a]=v(!1);if(t===null)return null;
let s=["agentrt",...t].map(Go).join(" "),l=async()=>{await navigator.clipboard.writeText(s),a(!0)},i="clipboard"in navigator;
return o(k,{title:"Repeat it",extra:i?o("button",{onClick:()=>{l()},children:r?"Copied":"Copy"}):null,children:[o("pre",
{class:"code",tabIndex:0,role:"region","aria-label":"Command that repeats the crash",children:s}),n.holds?o("p",{class:"\
dull",children:"In the folder of the project. All that the agent did since the checkpoint is in the record."}):o("p",{class:"\
refused",children:`A replay may differ: ${n.reasons.join("; ")}`})]})}function Tn({state:e,too_large:t}){return t===!0?"\
too large to be kept":e}function Zo({record:e}){let{checkpoint:t,state:n}=e,r=Tn(t.before),a=Tn(t.after),s=JSON.stringify(
r)===JSON.stringify(a);return o(k,{title:"State",extra:o("span",{class:"dull",children:"without secrets"}),children:[o("\
h3",{children:s?"The checkpoint, before and after":"The checkpoint, before and after the message"}),s?o(X,{value:r,label:"\
Checkpoint"}):o(he,{before:r,after:a,label:"Checkpoint before and after"}),o("h3",{children:"At the crash"}),n===null?o(
w,{children:"It is not known."}):o(he,{before:a,after:n,label:"Checkpoint, and the state at the crash"})]})}function Yo({
place:e}){return o(k,{title:`${e.file}:${e.line}:${e.column}`,isWide:!0,children:o("pre",{class:"code lines",tabIndex:0,
role:"region","aria-label":`Lines of ${e.file} at ${e.line}`,children:e.lines.map(({line:t,text:n})=>o("span",{class:t===
e.line?"here":"",children:`${t===e.line?"▸":" "} ${String(t).padStart(4)}  ${n}
`},t))})})}function yt({value:e,label:t}){if(e==null)return o("span",{class:"dull",children:"not kept"});let n=typeof e==
"object"?Object.keys(e).length:1;return o("details",{children:[o("summary",{children:C(n,"member")}),o(X,{value:e,label:t})]})}function Cn({id:e}){return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[e===""?null:o("p",{
class:"crumbs",children:[o("a",{href:x("crashes"),children:"Crashes"})," ",o("span",{"aria-hidden":"true",children:"/"})]}),
o(D,{children:e===""?"Crashes":e})]}),e===""?o(er,{}):o(tr,{id:e},e)]})}function er(){let{data:e,refusal:t}=L("/crashes",
3e3),n=(e?.crashes??[]).toReversed();return o(k,{title:"The latest first",isWide:!0,children:[o(A,{refusal:t}),n.length===
0?o(w,{children:e===void 0?"Loading…":"Nothing has crashed."}):o(M,{label:"Crashes",rows:n,keyOf:({id:r})=>r,columns:[
{name:"When",show:({timestamp:r})=>o(E,{at:r})},{name:"Agent",show:({agent:r})=>o("a",{href:x("agents",r),children:r})},
{name:"Reason",show:({reason:r})=>o("b",{class:"bad",children:r})},{name:"Message",show:({message:r})=>r},{name:"At",show:({
at:r})=>r??""},{name:"",show:({id:r})=>o("a",{href:x("crashes",r),children:["Details of ",r]})}]})]})}function tr({id:e}){
let{data:t,refusal:n}=L(`/crashes/${encodeURIComponent(e)}`,3e4);if(t===void 0)return n===void 0?o(w,{children:"Loading…"}):
o(A,{refusal:n});let{error:r,message_at_hand:a,trace_id:s}=t,{record:l}=t,i=l?.v===1?l:null;return o("div",{class:"panel\
s",children:[o(k,{title:`${r.code??r.name}: ${r.message}`,isWide:!0,children:[o(H,{facts:[["Agent",o("a",{href:x("agents",
t.agent),children:t.agent})],["When",o(E,{at:t.timestamp})],["At",r.at??"unknown"],...s===null?[]:[["Trace",o("a",{href:x(
"traces",s),children:s})]]]}),r.causes.map(({name:p,code:c,message:d,at:f},h)=>o("p",{children:["because of ",o("b",{children:c??
p}),": ",d," ",f===null?"":`at ${f}`]},h))]}),a===null?null:o(k,{title:"The message at hand",children:[o(H,{facts:[["Typ\
e",a.type],["From",a.sender===""?"outside":a.sender],["Sent",o(E,{at:a.timestamp})],["Id",a.id]]}),i?.message==null?null:
o(X,{value:i.message.payload,label:"Payload of the message"})]}),i===null?null:o($n,{record:i}),o(k,{title:"Stack",isWide:!0,
children:o("pre",{class:"code",tabIndex:0,role:"region","aria-label":"Stack",children:r.stack.join(`
`)})})]})}var Nn={noRoute:"nobody has the name",refused:"the mailbox is full, or takes nothing",expired:"its time was over",stopped:"\
its agent has stopped",crashed:"its agent crashed with it",skipped:"its agent gave it up",removed:"somebody took it out"};
function Pn(){let{data:e,refusal:t,refresh:n}=L("/dead-letters",3e3),[r,a]=v(""),[s,l]=v(),i=r.toLowerCase(),p=(e?.dead_letters??
[]).toReversed().filter(({recipient:c,sender:d,type:f,reason:h})=>`${c} ${d} ${f} ${h}`.toLowerCase().includes(i));return o(
"main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[o(D,{children:"Dead letters"}),o("input",{type:"\
search","data-filter":!0,"aria-label":"Dead letters with this text",placeholder:"Filter ( / )",value:r,onInput:c=>a(c.currentTarget.
value)}),o("p",{class:"counts",role:"status",children:Object.entries(e?.counts??{}).filter(([,c])=>c>0).map(([c,d])=>o("\
span",{title:Nn[c],children:[c," ",J(d)]},c))})]}),o(A,{refusal:t}),o(k,{title:"Messages that nobody handled, the latest\
 first",isWide:!0,children:p.length===0?o(w,{children:e===void 0?"Loading…":"There is none."}):o(or,{letters:p,onReplay:c=>l(
nr(c,n))})}),s===void 0?null:o(ie,{question:s,onClose:()=>l(void 0)})]})}function nr({id:e,recipient:t,type:n},r){return{
title:`Send it to ${t} again?`,text:o("p",{children:[n," is sent once more, with a new id. Nobody gets its reply. Mend t\
he agent first."]}),verb:"Replay",act:async()=>{let a=`/dead-letters/${encodeURIComponent(e??"")}/replay`;await W(a,{method:"\
POST",body:{}}),r()}}}function or(e){let t=n=>n===""?o("span",{class:"dull",children:"outside"}):o("a",{href:x("agents",
n),children:n});return o(M,{label:"Dead letters",rows:e.letters,keyOf:({id:n,timestamp:r},a)=>`${n??""} ${r} ${a}`,columns:[
{name:"Given up",show:({timestamp:n})=>o(E,{at:n})},{name:"Why",show:({reason:n})=>o("span",{title:Nn[n],children:n})},{
name:"Type",show:({type:n})=>n},{name:"To",show:({recipient:n})=>t(n)},{name:"From",show:({sender:n})=>t(n)},{name:"Trac\
e",show:({trace_id:n})=>n===null||n===""?"":o("a",{href:x("traces",n),children:n.slice(0,8)})},{name:"Again",show:n=>n.replayable===
!0&&n.id!==null&&re("operate")?o("button",{onClick:()=>e.onReplay(n),children:"Replay"}):""}]})}var rr=1e3;async function En(e,t){let n="";for(;!t.signal.aborted;){let r=l=>{l.id!==""&&(n=l.id),t.onEvent(l)},a=n===""?
e:`/events?last_event_id=${encodeURIComponent(n)}`,s=await ar(a,{...t,onEvent:r});if(t.signal.aborted)return;Bn(s),await new Promise(
l=>setTimeout(l,rr))}}function Bn(e){let t=new Map(fe.value);e===void 0?t.delete("/events"):t.set("/events",e),fe.set(t)}
async function ar(e,{signal:t,onEvent:n}){try{let r=await fetch(ut(e),{signal:t,credentials:"same-origin"});if(r.status===
401){await _e("The session is over. Sign in again.");return}if(!r.ok||r.body===null)return`answers ${r.status}`;Bn(void 0);
let a=r.body.pipeThrough(new TextDecoderStream).getReader(),s="";for(let l=await a.read();!l.done;l=await a.read()){let i=`${s}${l.
value}`.split(`

`);s=i.pop()??"";for(let p of i){let c=sr(p);c!==void 0&&n(c)}}return}catch{return t.aborted?void 0:"no answer"}}function sr(e){
let t="",n="",r="";for(let a of e.split(`
`))a.startsWith("id: ")?t=a.slice(4):a.startsWith("event: ")?n=a.slice(7):a.startsWith("data: ")&&(r+=a.slice(6));if(!(n===
""||r===""))return{id:t,type:n,data:JSON.parse(r)}}var An=8;function Ue(e){let{rows:t,rowHeight:n}=e,r=I(null),[a,s]=v({top:0,height:600}),[l,i]=v(),p=I(!1);P(()=>ir(r.current,
s),[]);let c=t.findIndex(g=>e.keyOf(g)===l),d=c===-1?0:c,f=Math.max(0,Math.floor(a.top/n)-An),h=Math.min(t.length,Math.ceil(
(a.top+a.height)/n)+An);P(()=>e.onSee?.(t.slice(f,h)),[t,f,h]);let u=Math.ceil(a.top/n),m=d>=f&&d<h,y=g=>g===(m?d:u)?0:-1;
Kt(()=>{if(!p.current)return;let g=r.current?.querySelector(`[aria-rowindex="${d+2}"]`);g!=null&&(p.current=!1,g.focus({
preventScroll:!0}))});let b=g=>{let S=t[Math.max(0,Math.min(t.length-1,g))];S!==void 0&&(p.current=!0,i(e.keyOf(S)),lr(r.
current,t.indexOf(S)*n,n))},_=g=>{if(!(g.target instanceof HTMLElement&&g.target.role==="row")||g.ctrlKey||g.altKey||g.metaKey)
return;let T=dr(g.key,{activeIndex:d,rowCount:t.length,view:a,rowHeight:n}),z=t[d];if(T!==void 0)b(T);else if(z===void 0||
e.onKey?.(g.key,z)!==!0)return;g.preventDefault()};return o("div",{class:"grid",role:e.role,"aria-label":e.label,"aria-r\
owcount":t.length+1,"aria-colcount":e.columnCount,children:[e.head,o("div",{class:"rows",role:"rowgroup",ref:r,onKeyDown:_,
children:o("div",{class:"all",role:"presentation",style:{height:`${t.length*n}px`},children:t.slice(f,h).map((g,S)=>o("d\
iv",{role:"row",class:"row","aria-rowindex":f+S+2,tabIndex:y(f+S),onFocus:()=>i(e.keyOf(g)),onClick:()=>e.onChoose?.(g),
style:{top:`${(f+S)*n}px`,height:`${n}px`},...e.about?.(g),children:e.show(g)},e.keyOf(g)))})})]})}function ir(e,t){if(e===
null)return()=>{};let n=()=>t({top:e.scrollTop,height:e.clientHeight}),r=new ResizeObserver(n);return r.observe(e),e.addEventListener(
"scroll",n,{passive:!0}),n(),()=>{r.disconnect(),e.removeEventListener("scroll",n)}}function lr(e,t,n){e!==null&&(t<e.scrollTop?
e.scrollTop=t:t+n>e.scrollTop+e.clientHeight&&(e.scrollTop=t+n-e.clientHeight))}function dr(e,t){let n=Math.max(1,Math.floor(
t.view.height/t.rowHeight)-1);switch(e){case"ArrowDown":return t.activeIndex+1;case"ArrowUp":return t.activeIndex-1;case"\
PageDown":return t.activeIndex+n;case"PageUp":return t.activeIndex-n;case"Home":return 0;case"End":return t.rowCount-1;default:
return}}var Rn=2e3;function Mn(){let[e,t]=v([]),[n,r]=v(!1),[a,s]=v(""),[l,i]=v(),p=I(!1);p.current=n,P(()=>pr({setRows:t,isPaused:()=>p.
current}),[]);let c=Z(()=>{let d=a.toLowerCase().split(" ");return e.filter(({text:f})=>d.every(h=>f.includes(h)))},[e,a]);
return o("main",{class:"page fill",id:"main",children:[o("div",{class:"bar",children:[o(D,{children:"Events"}),o("input",
{type:"search","data-filter":!0,"aria-label":"Events with these words",placeholder:"Filter: agent, type, text ( / )",value:a,
onInput:d=>s(d.currentTarget.value)}),o("button",{"aria-pressed":n,onClick:()=>r(!n),children:n?"Go on":"Pause"}),o("spa\
n",{class:"dull",children:[C(c.length,"event"),", latest first"]})]}),c.length===0?o(w,{children:e.length===0?"Nothing h\
as happened yet.":"No event fits."}):o(Ue,{label:"Events",role:"grid",rows:c,rowHeight:30,columnCount:4,keyOf:d=>String(
d.number),onKey:(d,f)=>d!=="Enter"&&d!==" "?!1:(i(f),!0),onChoose:i,head:o(ur,{}),show:d=>o(cr,{row:d})}),l===void 0?null:
o(k,{title:l.type,extra:o("button",{onClick:()=>i(void 0),children:"Close"}),children:o(X,{value:l.data,label:"Event"})})]})}
function ur(){return o("div",{role:"rowgroup",class:"head events",children:o("div",{role:"row",class:"row","aria-rowinde\
x":1,children:["Time","Type","Agent","What"].map(e=>o("div",{role:"columnheader",class:`cell col-${e.toLowerCase()}`,children:e},
e))})})}function cr({row:e}){let{type:t,agent:n,timestamp:r,...a}=e.data,s=/crash|exhausted|exceeded|halted|late|fail/.test(
e.type);return o(N,{children:[o("div",{role:"gridcell",class:"cell col-time",children:[typeof r=="number"?ee(r).slice(11,
19):"",o("span",{class:"fraction",children:typeof r=="number"?ee(r).slice(19):""})]}),o("div",{role:"gridcell",class:s?"\
cell col-type bad":"cell col-type",children:e.type}),o("div",{role:"gridcell",class:"cell col-agent",children:e.agent===
""?"":o("a",{href:x("agents",e.agent),tabIndex:-1,children:e.agent})}),o("div",{role:"gridcell",class:"cell col-what",children:be(
a)})]})}function pr(e){let t=new AbortController,n=[],r=0,a=!1,s=()=>{if(a=!1,t.signal.aborted)return;if(e.isPaused()){l();
return}let p=n.splice(0).reverse();e.setRows(c=>[...p,...c].slice(0,Rn))},l=()=>{a||(a=!0,setTimeout(()=>requestAnimationFrame(
s),100))},i=p=>{r+=1;let{agent:c}=p.data,d=typeof c=="string"?c:"",f=`${p.type} ${V(p.data)}`.toLowerCase();n.push({...p,
number:r,agent:d,text:f}),n.length>Rn&&n.shift(),l()};return En("/events?recent=500",{signal:t.signal,onEvent:i}),()=>{t.
abort(),He("/events")}}var Ne=new Y(void 0);function On(){let{data:e}=F(qt);P(()=>{e!==void 0&&Ne.set(e)},[e])}var fr={start:["+","good"],stop:["−","bad"],restart:["↻","wait"],move:["→","dull"],change:["~","wait"]};function Ln(){
let[e,t]=se("topology",""),[n,r]=se("name of the topology","topology.yaml"),[a,s]=v(),[l,i]=v([]),[p,c]=v(),d=L("/apply",
3e3),f=async()=>{i([]),s(void 0);try{s({text:e,plan:(await W("/plan",{method:"POST",body:{topology:e,name:n}})).body})}catch(y){
i(mr(y))}},h=async y=>{y!==void 0&&(r(y.name),t(await y.text()))},u=a?.text===e,m=async()=>{await W("/apply",{method:"PO\
ST",body:{topology:e,name:n}}),s(void 0),d.refresh()};return o("main",{class:"page",id:"main",children:[o("div",{class:"\
bar",children:[o(D,{children:"Plan and apply"}),o(hr,{apply:d.data})]}),o(k,{title:"Another topology",isWide:!0,children:[
o("form",{class:"stack",onSubmit:y=>{y.preventDefault(),f()},children:[o("label",{children:["A file of this machine",o("\
input",{type:"file",accept:".yaml,.yml,.json",onChange:y=>{h(y.currentTarget.files?.[0])}})]}),o("label",{children:["Its\
 text",o("textarea",{required:!0,spellcheck:!1,value:e,onInput:y=>t(y.currentTarget.value)})]}),o("div",{class:"buttons",
children:o("button",{class:"primary",children:"Plan"})})]}),l.length===0?null:o("p",{class:"refused",role:"alert",children:l.
join(`
`)})]}),a===void 0?null:o(yr,{plan:a.plan,isCurrent:u,onApply:()=>c(gr(a.plan,m))}),p===void 0?null:o(ie,{question:p,onClose:()=>c(
void 0)})]})}function mr(e){if(!(e instanceof U))return[e instanceof Error?e.message:String(e)];let{problems:t}=e.body;return Array.
isArray(t)?t.map(String):[e.message]}function hr({apply:e}){if(e===void 0||e.status==="none")return null;let{status:t,timestamp:n,
error:r,late:a=[]}=e;return o("p",{class:t==="failed"?"refused":"done",role:"status",children:["The latest apply: ",t," ",
n===void 0?null:o(E,{at:n}),r===void 0?"":`: ${r}`,a.length===0?"":`; did not stop in time: ${a.join(", ")}`]})}function Dn({
nodes:e,counts:t}){let n=e.filter(({action:a})=>a==="stop"||a==="restart"),r=a=>n.reduce((s,l)=>s+a(l),0);return{down:(t.
stop??0)+(t.restart??0),atHand:r(a=>a.messages_at_hand),waiting:r(a=>a.messages_waiting),children:r(a=>a.children_count)}}
function gr(e,t){let{down:n,atHand:r,waiting:a,children:s}=Dn(e);return{title:"Put this topology in place of the one tha\
t runs?",text:o("p",{children:[C(n,"node")," stop or restart, with ",C(r,"message")," at hand,"," ",C(a,"message")," tha\
t wait and ",C(s,"child","children"),". What fails is undone."]}),verb:"Apply",isDangerous:!0,act:t}}function yr(e){let{
plan:t}=e,{down:n,atHand:r,waiting:a,children:s}=Dn(t),l=t.needs_restart.length>0,i=Object.entries(t.counts).filter(([,p])=>p>
0);return o(k,{title:t.changes?"What it changes":"It changes nothing",extra:t.changes&&!l&&re("operate")?o("button",{class:"\
danger",disabled:!e.isCurrent,onClick:e.onApply,children:e.isCurrent?"Apply":"The text has changed: plan again"}):null,isWide:!0,
children:[o(H,{facts:[...i.map(([p,c])=>[p,c]),["Stop or restart",C(n,"node")],["At hand there",C(r,"message")],["Waitin\
g there",C(a,"message")],["End with them",C(s,"child","children")]]}),l?o("p",{class:"refused",role:"alert",children:`It\
 cannot be applied: the process has to be restarted.
${t.needs_restart.join(`
`)}`}):null,t.workers_away.length===0?null:o("p",{class:"dull",children:["No worker is there for ",t.workers_away.join("\
, "),": they get it when one comes."]}),t.parts.map(({kind:p,name:c,action:d})=>o("p",{children:[d," ",p," ",c]},`${p} ${c}`)),
t.nodes.length===0?o(w,{children:"No node is touched."}):o(_r,{nodes:t.nodes})]})}function _r({nodes:e}){return o(M,{label:"\
Nodes that change",rows:e,keyOf:({name:t,action:n})=>`${n} ${t}`,columns:[{name:"Does",show:({action:t})=>{let[n,r]=fr[t]??
["·","dull"];return o("span",{class:`status ${r}`,children:[o("span",{class:"mark","aria-hidden":"true",children:n}),t]})}},
{name:"Node",show:({name:t,kind:n})=>`${t} (${n})`},{name:"Where",show:({parent:t,moved_from:n})=>`${t??"the root"}${n===
null?"":`, from ${n}`}`},{name:"Because",show:({because:t})=>t.map(n=>o("div",{children:n},n))},{name:"At hand",show:t=>t.
messages_at_hand,isNumber:!0},{name:"Waiting",show:t=>t.messages_waiting,isNumber:!0},{name:"Ends with it",show:({children_count:t,
children:n})=>t===0?"":`${t}: ${n.join(", ")}${t>n.length?" …":""}`},{name:"A crash restarts",show:t=>t.crash_restarts.
join(", ")}]})}var vr=[["key","API key"],["token","Token (JWT)"],["header","Other header"]];function In({notice:e}){let[t,n]=v("key"),[
r,a]=v("X-"),[s,l]=v(""),[i,p]=v(""),[c,d]=v(!1),f=async()=>{d(!0),p("");let u=s.trim();try{let m=await pt(wr(t,u,r.trim()));
m!==void 0&&p(m.message)}catch(m){p(m instanceof Error?m.message:String(m))}d(!1)},h=async()=>{try{await ct("No certific\
ate lets this browser in.")}catch(u){p(u instanceof Error?u.message:String(u))}};return o("main",{class:"sign-in",children:o(
"form",{onSubmit:u=>{u.preventDefault(),f()},children:[o("h1",{children:[o("span",{class:"brand",children:"agentrt"})," \
console of ",Je]}),e===""?null:o("p",{role:"status",children:e}),o("fieldset",{children:[o("legend",{children:"Sign in w\
ith"}),vr.map(([u,m])=>o("label",{class:"choice",children:[o("input",{type:"radio",name:"way",checked:t===u,onChange:()=>n(
u)}),m]},u))]}),t==="header"?o("label",{children:["Name of the header",o("input",{required:!0,pattern:"[xX]-[\\w\\-]+",title:"\
X- and letters, digits or dashes",value:r,onInput:u=>a(u.currentTarget.value)})]}):null,o("label",{children:[br[t],o("in\
put",{type:"password",autocomplete:"off",spellcheck:!1,required:!0,value:s,onInput:u=>l(u.currentTarget.value)})]}),i===
""?null:o("p",{class:"refused",role:"alert",children:i}),o("div",{class:"buttons",children:[o("button",{type:"button",onClick:()=>{
h()},children:"Use a certificate, or none"}),o("button",{class:"primary",disabled:c,children:"Sign in"})]}),o("p",{class:"\
hint",children:"The key or token is sent to this server once. The browser keeps a cookie that ends after 30 minutes with\
out use, after 12 hours, and with the token."})]})})}var br={key:"Key",token:"Token",header:"Value"};function wr(e,t,n){
switch(e){case"key":return{"x-api-key":t};case"token":return{authorization:`Bearer ${t}`};case"header":return{[n]:t,"x-a\
gentrt-credential-header":n}}}var Jn="agentrt-console-theme",We=["auto","light","dark"],kr={auto:"◐ Auto",light:"☀ Light",dark:"☾ Dark"};function Hn(){
let[e,t]=v(xr());P(()=>{document.documentElement.dataset.theme=e;try{localStorage.setItem(Jn,e)}catch{}},[e]);let n=We[(We.
indexOf(e)+1)%We.length]??"auto";return o("button",{onClick:()=>t(n),"aria-label":`Theme: ${e}. Change to ${n}`,children:kr[e]})}
function xr(){try{let e=localStorage.getItem(Jn);return We.find(t=>t===e)??"auto"}catch{return"auto"}}function Xn(e){let t=e.reduce((c,d)=>Math.min(c,d.start_time),1/0),n=e.reduce((c,d)=>Math.max(c,d.end_time),-1/0),r=Math.
max(0,n-t),a=new Set(e.map(({span_id:c})=>c)),s=new Map;for(let c of e.toSorted((d,f)=>d.start_time-f.start_time)){let{parent_span_id:d}=c,
f=d!==null&&a.has(d)&&d!==c.span_id?d:"";s.set(f,[...s.get(f)??[],c])}let l=[],i=new Set,p=(c,d)=>{if(i.has(c.span_id))return;
i.add(c.span_id);let f=m=>r===0?0:(m-t)/r,h=f(c.start_time),u=r===0?1:f(c.end_time)-h;l.push({span:c,depth:d,from:h,length:u});
for(let m of s.get(c.span_id)??[])p(m,d+1)};for(let c of s.get("")??[])p(c,0);for(let c of e)p(c,0);return{rows:l,seconds:r}}function Kn(e){let{id:t,query:n}=e,[r,a]=v(t);return o("main",{class:"page",id:"main",children:[o("div",{class:"bar",children:[
t===""?null:o("p",{class:"crumbs",children:[o("a",{href:x("traces"),children:"Traces"})," ",o("span",{"aria-hidden":"tru\
e",children:"/"})]}),o(D,{children:t===""?"Traces":`Trace ${t.slice(0,8)}`}),t===""?o(Sr,{query:n}):null,o("form",{class:"\
line",onSubmit:s=>{s.preventDefault(),location.hash=x("traces",r.trim())},children:[o("input",{"aria-label":"Id of a tra\
ce",placeholder:"Id of a trace",size:34,value:r,onInput:s=>a(s.currentTarget.value)}),o("button",{children:"Show"})]})]}),
t===""?o($r,{query:n}):o(Br,{id:t},t)]})}var Un=["0.001","0.01","0.1","1","10"];function Sr({query:e}){let t=a=>e.get(a)??
"",n=(a,s)=>{location.hash=x("traces","",{...Object.fromEntries(e),[a]:s})},r=t("min_duration");return o(N,{children:[o(
"input",{type:"search","data-filter":!0,"aria-label":"Traces with the agent",placeholder:"Agent ( / )",value:t("agent"),
onChange:a=>n("agent",a.currentTarget.value.trim())}),o("select",{"aria-label":"Traces of status",value:t("status"),onChange:a=>n(
"status",a.currentTarget.value),children:[o("option",{value:"",children:"any status"}),o("option",{children:"ok"}),o("op\
tion",{children:"error"})]}),o("select",{"aria-label":"Traces that took at least",value:r,onChange:a=>n("min_duration",a.
currentTarget.value),children:[o("option",{value:"",children:"any duration"}),Un.map(a=>o("option",{value:a,children:[O(
Number(a))," or more"]},a)),r===""||Un.includes(r)?null:o("option",{value:r,children:[r," s or more"]})]}),o("label",{class:"\
choice",children:[o("input",{type:"checkbox",checked:t("all")==="yes",disabled:t("agent")!=="",onChange:a=>n("all",a.currentTarget.
checked?"yes":"")}),"Requests without an agent, too"]})]})}var Tr=20;function Wn(e,t){let n=new URLSearchParams({limit:"\
50"});for(let r of["agent","status","min_duration"]){let a=e.get(r);a!==null&&a!==""&&n.set(r,a)}return!n.has("agent")&&
e.get("all")!=="yes"&&n.set("agent","*"),t!==void 0&&n.set("before",t),`/traces?${n}`}function $r({query:e}){let[t,n]=v(
[]),[r,a]=v(!1),[s,l]=v(),i=t.length===0,p=L(i?Wn(e):void 0,4e3),c=i?p.data===void 0?[]:[p.data]:t,d=c.at(-1)?.next??null,
f=async()=>{a(!0),l(void 0);let h=[...c];try{for(let u=d,m=0;u!==null&&m<Tr;m+=1){let{body:y}=await W(Wn(e,u));if(h.push(
y),u=y.next,y.traces.length>0)break}}catch(u){u instanceof U&&l(u)}n(h),a(!1)};return o(k,{title:i?"The latest":"As they\
 were when you looked further back",extra:i?null:o("button",{onClick:()=>n([]),children:"Back to the latest"}),isWide:!0,
children:[o(A,{refusal:p.refusal??s}),o($e,{unread:c.flatMap(({unread:h=[]})=>h)}),o(Nr,{lists:c,isKnown:p.data!==void 0||
!i}),d===null?null:o("div",{class:"line",children:[o("button",{disabled:r,onClick:()=>{f()},children:r?"Looking…":"Loo\
k further back"}),o("span",{class:"dull",role:"status",children:Cr(d)})]})]})}function Cr(e){let t=Number(/^[\d.]+/.exec(
e)?.[0])/1e3;return Number.isFinite(t)?`looked back to ${ee(t)}`:""}function Nr(e){let n=[...new Map(e.lists.flatMap(({traces:a})=>a.
map(s=>[s.trace_id,s]))).values()];if(n.length===0){if(!e.isKnown)return o(w,{children:"Loading…"});let a=e.lists.some(
({recorded:s})=>s);return o(w,{children:a?"No trace fits, as far as was looked.":"No spans are made: the topology names \
no exporter."})}let r=Math.max(...n.map(jn));return o(M,{label:"Traces",rows:n,keyOf:({trace_id:a})=>a,columns:[{name:"T\
race",show:({trace_id:a,name:s})=>o("a",{href:x("traces",a),children:s||"unnamed"})},{name:"Status",show:({status:a})=>o(
q,{status:a})},{name:"Began",show:({start_time:a})=>o(E,{at:a})},{name:"Agents",show:({agents:a})=>o(Pr,{names:a})},{name:"\
Spans",show:({span_count:a})=>a,isNumber:!0},{name:"Took",show:a=>o(Er,{trace:a,longest:r}),isNumber:!0}]})}function jn({
start_time:e,end_time:t}){return Math.max(0,t-e)}var Fn=4;function Pr({names:e}){let t=e.length-Fn;return o(N,{children:[
e.slice(0,Fn).map((n,r)=>o("span",{children:[r===0?"":", ",o("a",{href:x("agents",n),children:n})]},n)),t>0?o("span",{class:"\
dull",children:[" and ",t," more"]}):null]})}function Er(e){let t=jn(e.trace),n=e.longest===0?0:t/e.longest,r=e.trace.status===
"error"?"bar-error":"bar-good";return o("span",{class:"took",children:[O(t),o("span",{class:"track","aria-hidden":"true",
children:o("span",{class:r,style:{width:`max(1px, ${n*100}%)`}})})]})}function Br({id:e}){let{data:t,refusal:n}=L(`/trac\
es/${encodeURIComponent(e)}`,3e3),r=Z(()=>t===void 0?void 0:Xn(t.spans),[t]),[a,s]=v();if(r===void 0)return n===void 0?o(
w,{children:"Loading…"}):o(A,{refusal:n});let l=Math.min(...r.rows.map(({span:i})=>i.start_time));return o(k,{title:`${C(
r.rows.length,"span")} in ${O(r.seconds)}`,extra:o("span",{class:"dull",children:ee(l)}),isWide:!0,children:[o($e,{unread:t?.
unread??[]}),o("ol",{class:"waterfall","aria-label":"Spans",children:r.rows.map(i=>o(Ar,{row:i,start:l,isOpen:a===i.span.
span_id,onToggle:()=>s(a===i.span.span_id?void 0:i.span.span_id)},i.span.span_id))})]})}function Ar(e){let{span:t,depth:n,
from:r,length:a}=e.row,s=t.end_time-t.start_time,l=O(t.start_time-e.start),i=t.status==="error";return o("li",{children:[
o("button",{class:"span","aria-expanded":e.isOpen,onClick:e.onToggle,children:[o("span",{class:"title",style:{paddingLeft:`${Math.
min(n,16)*.9}rem`},children:[i?o("span",{class:"bad",children:"✖ error "}):null,t.name]}),o("span",{class:"track","ari\
a-hidden":"true",children:o("span",{class:i?"bar-error":"bar-good",style:{marginLeft:`${r*100}%`,width:`max(2px, ${a*100}\
%)`}})}),o("span",{class:"duration",children:[O(s),o("span",{class:"hidden",children:[", ",l," after the start"]})]})]}),
e.isOpen?o("div",{class:"details",children:[t.error_message===null?null:o("p",{class:"refused",children:t.error_message}),
o(X,{label:`Attributes of ${t.name}`,value:{kind:t.kind,starts:ee(t.start_time),...t.attributes}})]}):null]})}var Fe=["CRASHED","STOPPED","STOPPING","SUSPENDED","INITIALIZING","RUNNING"];function zn(e,t){let n=new Map,r=[],a=t.text!==
""||t.status!=="",s=(i,p)=>{let c="status"in i?i.status:void 0;c!==void 0&&i.type!=="dynamic_supervisor"&&i.type!=="key"&&
n.set(c,(n.get(c)??0)+1);let d=Rr(i,t),f=i.type==="keyed",h=f?t.opened.has(i.name):a||!t.closed.has(i.name),u=r.length;r.
push(void 0);let m=c===void 0?Fe.length-1:Mr(c),y=0,b=!a||Or(i.name,c,t);return d.forEach((_,g)=>{let S=r.length,T={position:g+
1,siblingCount:d.length},z=s(_,{depth:p.depth+1,...T});m=Math.min(m,z.worst),y+=1+z.below,b||=z.isShown,(!h||!z.isShown)&&
(r.length=S)}),r[u]={...p,name:i.name,kind:i.type,status:c??Fe[m]??"RUNNING",restartCount:i.restart_count,note:Lr(i,t),belowCount:f?
qn(i):y,hasChildren:f?h||qn(i)>0:d.length>0,isOpen:h,processId:i.process_id},{worst:m,below:y,isShown:b}},{isShown:l}=s(
e,{depth:0,position:1,siblingCount:1});return{rows:l?r:[],counts:n}}function Rr(e,{opened:t,keys:n}){if(e.type!=="keyed")
return"children"in e?e.children:[];if(!t.has(e.name))return[];let{process_id:r}=e;return(n.get(e.name)?.keys??[]).map(a=>({
...a,type:"key",process_id:r}))}function qn(e){return e.resident_count+e.waiting_count+e.failed_count}function Vn(e,t){let[
n,r]=[`${e}/`.toLowerCase(),t.toLowerCase()];return n.includes(r)?"":r.startsWith(n)?t.slice(n.length):t}function Mr(e){
let t=Fe.indexOf(e);return t===-1?Fe.length-1:t}function Or(e,t,n){return e.toLowerCase().includes(n.text.toLowerCase())?
n.status===""?!0:t===void 0?!1:n.status==="not RUNNING"?t!=="RUNNING":t===n.status:!1}function Lr(e,{opened:t,keys:n}){switch(e.
type){case"supervisor":return`${e.strategy}${e.crashes_in_window>0?`, ${C(e.crashes_in_window,"crash","crashes")} lately`:
""}`;case"dynamic_supervisor":return`${e.live_count} of ${e.max_children??"any number"} children`;case"pool":return`${e.
busy_count} busy, ${e.min} to ${e.max} members, ${e.mailbox_depth} wait`;case"keyed":return[t.has(e.name)&&(n.get(e.name)?.
next??null)!==null?"the first are shown: filter by name":"",`${C(e.resident_count,"key")} in memory, ${e.mailbox_depth} \
wait`,e.failed_count>0?`${e.failed_count} refuse`:""].filter(r=>r!=="").join(", ");case"key":return[e.mailbox_depth>0?`${e.
mailbox_depth} wait`:"",e.suspend_category].filter(r=>r!==""&&r!==null).join(", ");default:return[e.halted===void 0?"":`\
halted by ${e.halted.initiated_by}`,e.approvals===void 0?"":"waits for an approval",e.halted===void 0&&e.approvals===void 0?
e.suspend_category??"":""].filter(r=>r!=="").join(", ")}}var Dr=["not RUNNING","RUNNING","SUSPENDED","CRASHED","STOPPED","INITIALIZING"],[Ir,Jr]=[10,100];function Hr(){let[e,t]=v(),
n=I(""),{data:r,refreshSoon:a}=F(e,()=>n.current);return{overview:r,onSee:l=>{let i=l.filter(({kind:c})=>c!=="key"&&!Ke(
c)).map(Kr),p=Vt(i);p.path!==n.current&&(n.current=p.path,t(c=>c??p),a())}}}function Qn(){let e=F(at,zt),{overview:t,onSee:n}=Hr(),
r=pe(Ne),[a,s]=v(""),[l,i]=v(""),[p,c]=v(new Set),[d,f]=v(new Set),[h,u]=v(new Map),m=Z(()=>new Map(t?.agents.map(_=>[_.
name,_])),[t]),y=Z(()=>e.data===void 0?void 0:zn(e.data,{text:a,status:l,closed:p,opened:d,keys:h}),[e.data,a,l,p,d,h]),
b=(_,g=!_.isOpen)=>{if(!_.hasChildren||_.isOpen===g)return!1;let S=_.kind==="keyed",T=new Set(S?d:p);return g===S?T.add(
_.name):T.delete(_.name),S?f(T):c(T),!0};return o("main",{class:"page fill",id:"main",children:[o("div",{class:"bar",children:[
o(D,{children:"Tree"}),o("input",{type:"search","data-filter":!0,"aria-label":"Names that contain",placeholder:"Filter b\
y name ( / )",value:a,onInput:_=>s(_.currentTarget.value)}),o("select",{"aria-label":"Agents of status",value:l,onChange:_=>i(
_.currentTarget.value),children:[o("option",{value:"",children:"any status"}),Dr.map(_=>o("option",{children:_},_))]}),o(
Xr,{counts:y?.counts})]}),o(Ur,{health:r,overview:t}),o(A,{refusal:e.refusal}),[...d].slice(-Ir).map(_=>o(_n,{name:_,limit:Jr,
text:Vn(_,a),status:l==="not RUNNING"?"!RUNNING":l,onKeys:(g,S)=>u(T=>new Map(T).set(g,S))},_)),y===void 0?e.refusal===void 0?
o(w,{children:"Loading…"}):null:y.rows.length===0?o(w,{children:"No agent fits."}):o(Fr,{rows:y.rows,figures:m,onToggle:b,
onSee:n})]})}function Xr({counts:e}){if(e===void 0)return null;let t=[...e.values()].reduce((n,r)=>n+r,0);return o("p",{
class:"counts",role:"status",children:[o("span",{children:C(t,"agent")}),[...e].map(([n,r])=>o("span",{children:[o(q,{status:n}),
" ",J(r)]},n))]})}function Ur(e){let t=e.health===void 0?[]:Wr(e.health);for(let{name:n,since:r}of e.overview?.models_silent??
[])t.push(`the model ${n} has answered nobody since ${me(r)}`);for(let{name:n}of e.overview?.budgets_used_up??[])t.push(
`the budget of ${n} is used up`);return t.length===0?null:o("ul",{class:"notices","aria-label":"What is wrong",children:t.
map(n=>o("li",{children:[o("span",{"aria-hidden":"true",children:"▲"})," ",n]},n))})}function Wr(e){let{approvals:t,halted:n=[],
leader:r}=e,a=[];if(e.status==="degraded"){e.failed.length>0&&a.push(`given up: ${e.failed.join(", ")}`),e.state!==void 0&&
a.push(`no state is saved: ${e.state.reason}`);for(let s of e.workers_away??[])a.push(`no worker for ${s}`);for(let s of e.
workers_silent??[])a.push(`the worker ${s} is silent`);e.audit!==void 0&&a.push(`no audit: ${e.audit.reason}`)}r!==void 0&&
a.push(`this supervisor waits: ${r} leads`);for(let s of n)a.push(`${s} is halted by an eval agent`);return t!==void 0&&
t.pending>0&&a.push(`${C(t.pending,"approval")} to be decided`),a}var Gn=["Name","Status","Kind","Mailbox","At hand","Re\
starts","Cost","Notes"];function Fr(e){let t=r=>Ke(r.kind)?e.onToggle(r):(location.hash=x("agents",r.name),!0),n=(r,a)=>r===
"ArrowRight"?e.onToggle(a,!0):r==="ArrowLeft"?e.onToggle(a,!1):r==="Enter"||r===" "?t(a):!1;return o(Ue,{label:"Agents a\
nd supervisors",role:"treegrid",rows:e.rows,rowHeight:34,columnCount:Gn.length,keyOf:r=>r.name,onKey:n,onSee:e.onSee,about:r=>({
"aria-level":r.depth+1,"aria-posinset":r.position,"aria-setsize":r.siblingCount,...r.hasChildren?{"aria-expanded":r.isOpen}:
{}}),head:o("div",{role:"rowgroup",class:"tree head",children:o("div",{role:"row",class:"row","aria-rowindex":1,children:Gn.
map(r=>o("div",{role:"columnheader",class:`cell col-${r.toLowerCase().replace(" ","-")}`,children:r},r))})}),show:r=>o(jr,
{row:r,figures:e.figures.get(r.name),onToggle:e.onToggle})})}function Kr({name:e}){return e}function Ke(e){return e==="s\
upervisor"||e==="dynamic_supervisor"}function jr(e){let{row:t,figures:n}=e,r=(l,i)=>o("div",{role:"gridcell",class:`cell\
 col-${l}`,children:i}),a=n?.waits_for,s=n?.at_hand;return o(N,{children:[o("div",{role:"gridcell",class:"cell col-name",
style:{paddingLeft:`${.25+Math.min(t.depth,12)}rem`},children:[t.hasChildren?o("button",{class:"twist",tabIndex:-1,"aria\
-label":`${t.isOpen?"Close":"Open"} ${t.name}`,onClick:()=>e.onToggle(t),children:t.isOpen?"▾":"▸"}):o("span",{class:"\
twist"}),Ke(t.kind)?o("span",{class:"group",children:t.name}):o("a",{href:x("agents",t.name),tabIndex:-1,children:t.name}),
t.hasChildren&&!t.isOpen?o("span",{class:"below",children:t.belowCount}):null]}),r("status",o(q,{status:t.status,isBelow:Ke(
t.kind)&&t.status!=="RUNNING"})),r("kind",t.kind.replace("_supervisor","")),r("mailbox",n===void 0?"":J(n.mailbox_depth)),
r("at-hand",s==null?"":me(s.since).replace(" ago","")),r("restarts",t.restartCount===0?"":t.restartCount),r("cost",n===void 0||
n.cost_usd===0?"":ve(n.cost_usd)),r("notes",a===void 0?t.note:`waits for the ${a.kind} ${a.name}`)]})}function Yn(){let e=pe(j);return P(()=>{_e().catch(()=>setTimeout(eo,2e3))},[]),e.kind==="in"?o(qr,{session:e.session}):
e.kind==="out"?o(In,{notice:e.notice}):o("main",{class:"page",children:[o(to,{}),o(w,{children:"Loading…"})]})}function eo(){
_e().catch(()=>setTimeout(eo,2e3))}var _t=[{name:"tree",label:"Tree",show:()=>o(Qn,{})},{name:"approvals",label:"Approva\
ls",show:e=>o(Sn,{id:e})},{name:"events",label:"Events",show:()=>o(Mn,{})},{name:"traces",label:"Traces",show:(e,t)=>o(Kn,
{id:e,query:t},`${e}?${t}`)},{name:"crashes",label:"Crashes",show:e=>o(Cn,{id:e})},{name:"dead-letters",label:"Dead lett\
ers",show:()=>o(Pn,{})},{name:"plan",label:"Plan",show:()=>o(Ln,{})}];function qr({session:e}){let{page:t,about:n,query:r}=pe(
gt);On();let a=pe(Ne)?.approvals?.pending??0;P(()=>(document.addEventListener("keydown",Zn),()=>document.removeEventListener(
"keydown",Zn)),[]);let s=_t.find(({name:c})=>c===t)??_t[0],l=t==="agents"&&n!=="",i=l?n:s?.label??"",p=I(null);return P(
()=>{p.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[t]),P(()=>{document.
title=`${i} · ${Je}: agentrt console`},[i]),o(N,{children:[o("a",{class:"skip",href:"#main",onClick:zr,children:"To the\
 content"}),o("header",{class:"top",children:[o("a",{class:"brand",href:x("tree"),children:"agentrt"}),o("nav",{"aria-la\
bel":"Pages",ref:p,children:_t.map(({name:c,label:d})=>o("a",{href:x(c),"aria-current":!l&&c===s?.name?"page":void 0,children:[
d,c==="approvals"&&a>0?o("span",{class:"badge",children:a}):null]},c))}),o("div",{class:"who",children:[o("span",{title:`\
may: ${e.scopes?.join(", ")??"all"}`,children:[e.principal,e.scopes===null?"":` (${e.scopes.join(", ")||"nothing"})`]}),
o(Hn,{}),o("button",{onClick:()=>{Zt()},children:"Sign out"})]})]}),o(to,{}),l?o(bn,{name:n},n):s?.show(n,r)]})}function zr(e){
e.preventDefault(),document.querySelector("main h1")?.focus()}function Zn(e){let t=e.target instanceof HTMLElement&&e.target.
matches("input, textarea, select");if(e.key!=="/"||t||e.ctrlKey||e.metaKey||e.altKey)return;let n=document.querySelector(
"[data-filter]");n!==null&&(e.preventDefault(),n.focus())}function to(){let e=[...pe(fe)];if(e.length===0)return null;let t=e.
every(([,r])=>r==="no answer"),n=e.slice(0,3).map(([r,a])=>`${r}: ${a}`);return o("p",{class:"banner",role:"alert",children:[
o("span",{"aria-hidden":"true",children:"▲"})," ",t?"The server does not answer. What you see is what was known last; \
the page asks again.":n.join("; ")]})}var vt=document.querySelector("#console");vt!==null&&(vt.replaceChildren(),Mt(o(Yn,{}),vt));
