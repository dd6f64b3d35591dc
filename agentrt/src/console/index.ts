/**
 * The console in the browser, as far as a server has part in it: the files of its page, and who is signed in.
 *
 * ```
 * POST /console/session (a key, a token, a certificate) → authentication → session → cookie
 * any route, with the cookie → session middleware → the session's credentials → authentication → route
 * ```
 *
 * The page itself is in `agentrt/console`; it asks the routes of the control plane and nothing else. The folder must not know
 * what these routes do.
 */
export { consoleRoutes, type ConsoleOptions } from "./console-routes.ts";
