import { test } from "node:test";
import { check } from "./test-support/check-resolved.ts";

test("modules of Python: dots, packages, src, namespace packages, names that are modules", () => {
  check([
    {
      rule: "relative",
      tree: {
        "p/__init__.py": "",
        "p/q/__init__.py": "",
        "p/q/a.py":
          "from . import b, nothing\nfrom .. import c\nfrom ..c import f\nfrom .... import out\nfrom .b import *",
        "p/q/b.py": "",
        "p/c.py": "",
      },
      from: "p/q/a.py",
      expected: [". > p/q/__init__.py p/q/b.py", ".. > p/c.py", "..c > p/c.py", ".b > p/q/b.py"],
    },
    {
      rule: "absolute, from tests to src",
      tree: {
        "src/p/__init__.py": "",
        "src/p/m.py": "",
        "src/p/sub/__init__.py": "",
        "src/p/sub/n.py": "",
        "tests/test_m.py":
          "import p.m\nfrom p import m, thing\nfrom p.sub import n\nimport os, p.missing",
      },
      from: "tests/test_m.py",
      expected: ["p.m > src/p/m.py", "p > src/p/__init__.py src/p/m.py", "p.sub > src/p/sub/n.py"],
    },
    {
      rule: "a script sees its folder, a package does not",
      tree: {
        "tools/run.py": "import helper\nimport pkg.mod",
        "tools/helper.py": "",
        "pkg/__init__.py": "",
        "pkg/mod.py": "import helper2",
        "pkg/helper2.py": "",
      },
      from: "tools/run.py",
      expected: ["helper > tools/helper.py", "pkg.mod > pkg/mod.py"],
    },
    {
      rule: "namespace packages over several folders",
      tree: {
        "one/google/cloud/a/__init__.py": "",
        "two/google/cloud/b/__init__.py": "",
        "two/google/cloud/b/x.py": "from google.cloud.a import T\nfrom google.cloud import b",
      },
      from: "two/google/cloud/b/x.py",
      expected: [
        "google.cloud.a > one/google/cloud/a/__init__.py?",
        "google.cloud > two/google/cloud/b/__init__.py",
      ],
    },
    {
      rule: "far files with names of the standard library are not meant",
      tree: { "x/types.py": "", "y/a.py": "import types\nfrom typing import Any" },
      from: "y/a.py",
      expected: [],
    },
  ]);
});

test("files of Ruby: lib, relative, test folders, constants of applications", () => {
  check([
    {
      rule: "require",
      tree: {
        "lib/g.rb": "",
        "lib/g/x.rb": "require 'g/y'\nrequire_relative 'z'\nrequire 'json'\nautoload :V, 'g/v'",
        "lib/g/y.rb": "",
        "lib/g/z.rb": "",
        "lib/g/v.rb": "",
        "test/helper.rb": "",
      },
      from: "lib/g/x.rb",
      expected: ["g/y > lib/g/y.rb", "./z > lib/g/z.rb", "g/v > lib/g/v.rb"],
    },
    {
      rule: "from tests, and gems in folders",
      tree: {
        "test/unit/t.rb": 'require "helper"\nrequire "g"\nrequire "h/i"',
        "test/helper.rb": "",
        "lib/g.rb": "",
        "gems/h/lib/h/i.rb": "",
      },
      from: "test/unit/t.rb",
      expected: ["helper > test/helper.rb", "g > lib/g.rb", "h/i > gems/h/lib/h/i.rb"],
    },
    {
      rule: "an application that loads by name",
      tree: {
        "app/models/blog_post.rb": "class BlogPost < Record\nend",
        "app/controllers/posts_controller.rb": "class PostsController\n  def i = BlogPost.all\nend",
      },
      from: "app/controllers/posts_controller.rb",
      expected: ["* > app/models/blog_post.rb?"],
    },
  ]);
});

test("names of PHP: declared, by composer.json, included files", () => {
  check([
    {
      rule: "use",
      tree: {
        "composer.json": '{"autoload": {"psr-4": {"App\\\\": ["src/"]}}}',
        "src/A.php": "<?php\nnamespace App;\nclass A {}",
        "src/Sub/B.php": "<?php\n// declares by other means",
        "src/App.php": "<?php\nnamespace App;\nclass App {}",
        "src/f.php": "<?php\nnamespace App;\nfunction f() {}",
        "x/y.php":
          "<?php\nnamespace App;\nuse App\\A;\nuse App\\App;\nuse App\\Sub\\B;\nuse function App\\f;\nuse Other\\C;\nrequire __DIR__ . '/../z.php';\nrequire 'inc/i.php';\nrequire __DIR__ . '/../../../out.php';",
        "z.php": "",
        "inc/i.php": "",
      },
      from: "x/y.php",
      expected: [
        "App > src/A.php",
        "App > src/App.php",
        "App\\Sub > src/Sub/B.php",
        "App > src/f.php",
        "./../z.php > z.php",
        "inc/i.php > inc/i.php",
        "* > src/A.php src/App.php",
      ],
    },
  ]);
});

test("files of Bash: beside, above, by the end of what a variable leads to", () => {
  check([
    {
      rule: "places",
      tree: {
        "bin/run.sh":
          'source ./lib.sh\n. lib/b.sh\nsource "$(dirname "$0")/../lib/c.sh"\n. "$ROOT/lib/d.sh"\n. /etc/profile\n. "$X/util.sh"\n',
        "bin/lib.sh": "",
        "lib/b.sh": "",
        "lib/c.sh": "",
        "lib/d.sh": "",
        "deep/er/util.sh": "",
        "etc/profile": "",
      },
      from: "bin/run.sh",
      expected: [
        "./lib.sh > bin/lib.sh",
        "lib/b.sh > lib/b.sh?",
        "./../lib/c.sh > lib/c.sh",
        "$ROOT/lib/d.sh > lib/d.sh?",
        "$X/util.sh > deep/er/util.sh?",
      ],
    },
  ]);
});

test("modules of Lua: files, init files, the folders of a search path, beside", () => {
  check([
    {
      rule: "places",
      tree: {
        "lua/plug/main.lua":
          'require "plug.util"\nrequire("plug.ui")\nrequire("string")\nrequire(... .. ".near")\ndofile("conf.lua")\nrequire "x.y"\n',
        "lua/plug/util.lua": "",
        "lua/plug/ui/init.lua": "",
        "lua/plug/near.lua": "",
        "lua/plug/conf.lua": "",
        "vendor/x/y.lua": "",
      },
      from: "lua/plug/main.lua",
      expected: [
        "plug.util > lua/plug/util.lua",
        "plug.ui > lua/plug/ui/init.lua",
        "./near > lua/plug/near.lua",
        "conf.lua > lua/plug/conf.lua",
        "x.y > vendor/x/y.lua",
      ],
    },
  ]);
});
