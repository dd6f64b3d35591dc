"""Prints `from<TAB>to` for each import of the Python files below a folder, as modulefinder resolves them."""

import modulefinder
import os
import sys

root = os.path.abspath(sys.argv[1])
places = [root] + [p for p in (os.path.join(root, "src"), os.path.join(root, "lib")) if os.path.isdir(p)]


class Finder(modulefinder.ModuleFinder):
    current = None

    def scan_code(self, code, module):
        # `from . import x` comes without its caller.
        before, self.current = self.current, module
        super().scan_code(code, module)
        self.current = before

    def _safe_import_hook(self, name, caller, fromlist, level=-1):
        super()._safe_import_hook(name, caller, fromlist, level)
        caller = caller or self.current
        if caller is not None and caller.__file__:
            for target in self.targets(name, caller, fromlist, level):
                print(caller.__file__, target, sep="\t")

    def targets(self, name, caller, fromlist, level):
        parent = self.determine_parent(caller, level=level)
        full = name
        if level > 0 and parent is not None:
            full = parent.__name__ + ("." + name if name else "")
        module = self.modules.get(full)
        if module is None:
            return
        for item in fromlist or [None]:
            inner = self.modules.get(full + "." + item) if item and item != "*" else None
            file = (inner or module).__file__
            if file:
                yield file


finder = Finder(path=places)
for folder, folders, names in os.walk(root):
    folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__pycache__")
    for name in sorted(names):
        if not name.endswith(".py"):
            continue
        path = os.path.join(folder, name)
        place = max((p for p in places if path.startswith(p + os.sep)), key=len)
        module = os.path.relpath(path, place)[:-3].replace(os.sep, ".")
        module = module.removesuffix(".__init__")
        try:
            finder.import_hook(module)
        except (ImportError, SyntaxError, ValueError, AttributeError, RecursionError, UnicodeDecodeError):
            continue
