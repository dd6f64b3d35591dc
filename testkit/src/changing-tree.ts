import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** What a `ChangingTree` works on. */
export interface ChangingTreeOptions {
  /** Absolute path of an empty folder that becomes the tree. */
  readonly root: string;
  /** Absolute path of an empty folder next to the tree, on the same file system: files are moved and linked from there. */
  readonly outside: string;
  /** Gives numbers from 0 to below 1. */
  readonly random: () => number;
  /** True when no new name is given to a file from outside of the tree: no system tells a folder's watcher of that. */
  readonly isWatched: boolean;
}

const folders = ["", "aa/", "aa/deep/", "bb/"];
const names = ["one.ts", "two.ts", "three.ts", "four.ts"];
const wordCount = 24;
/** Two rules of the same length. */
const ignoreRules = ["aa/\n", "bb/\n"];
/** Long ago: no clock gives a write this time by itself. */
const longAgo = new Date("2020-01-02T03:04:05.678Z");

/**
 * A small tree that changes the way tools change trees without new times or sizes: `cp -p`, `touch -r`, `rsync -t`, `tar`,
 * a rename over a file, hard links, editors that replace, a checkout of another version.
 *
 * Each file holds one function, whose name is one of `words`; all files are of the same size.
 */
export class ChangingTree {
  readonly #root: string;
  readonly #outside: string;
  readonly #random: () => number;
  readonly #isWatched: boolean;
  #copyCount = 0;

  constructor({ root, outside, random, isWatched }: ChangingTreeOptions) {
    this.#root = root;
    this.#outside = outside;
    this.#random = random;
    this.#isWatched = isWatched;
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
    this.#set(".gitignore", "zz/\n");
    for (const path of this.#paths()) if (this.#random() < 0.7) this.#set(path, this.#content());
    for (const folder of folders) utimesSync(join(root, folder), longAgo, longAgo);
  }

  /** What files hold: of the same length, none part of another. */
  get words(): readonly string[] {
    return Array.from(
      { length: wordCount },
      (_, index) => `word${String(index).padStart(3, "0")}x`,
    );
  }

  /**
   * Makes one change.
   *
   * @returns What was done, for a message.
   */
  change(): string {
    const changes = [
      () => this.#writeInPlace(),
      () => this.#renameOver(),
      () => this.#copyOver(),
      () => this.#writeThroughLink(),
      () => this.#replaceLikeEditor(),
      () => this.#swap(),
      () => this.#addOrRemove(),
      () => this.#linkWithin(),
      () => this.#touchOnly(),
      () => this.#checkOut(),
      () => this.#writePlainly(),
      () => this.#changeRules(),
      () => this.#replaceByLink(),
    ];
    const change = changes[this.#below(changes.length)] as () => string;
    return change();
  }

  /** Another content in the same inode, and the time it had: `touch -r`. */
  #writeInPlace(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const { mtime } = statSync(this.#at(path));
    this.#set(path, this.#content(), mtime);
    return `write ${path} in place, its time kept`;
  }

  /** Another inode with the same name, size and time: `rsync -t`, `tar`, `mv`. */
  #renameOver(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const { mtime } = statSync(this.#at(path));
    const made = this.#made(this.#content(), mtime);
    this.#keepingFolder(path, () => renameSync(made, this.#at(path)));
    return `rename over ${path}, file's and folder's time kept`;
  }

  /** `cp -p` of one file over another. */
  #copyOver(): string {
    const [from, to] = [this.#anyFile(), this.#anyFile()];
    if (from === undefined || to === undefined || from === to) return "nothing";
    if (statSync(this.#at(from)).ino === statSync(this.#at(to)).ino) return "nothing";
    cpSync(this.#at(from), this.#at(to), { preserveTimestamps: true });
    return `cp -p ${from} ${to}`;
  }

  /** Written by a name outside of the tree. */
  #writeThroughLink(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const { mtime } = statSync(this.#at(path));
    const link = this.#isWatched ? this.#linkOf(path) : this.#free();
    if (link === undefined) return "nothing";
    if (!this.#isWatched) linkSync(this.#at(path), link);
    writeFileSync(link, this.#content());
    utimesSync(link, mtime, mtime);
    if (!this.#isWatched && this.#random() < 0.5) rmSync(link);
    return `write ${path} through a hard link`;
  }

  /** The old file set aside, a new one made, the old one removed. */
  #replaceLikeEditor(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const { mtime } = statSync(this.#at(path));
    this.#keepingFolder(path, () => {
      renameSync(this.#at(path), `${this.#at(path)}~`);
      this.#set(path, this.#content(), mtime);
      rmSync(`${this.#at(path)}~`);
    });
    return `replace ${path} like an editor`;
  }

  /** Two files change places: their folders keep their times. */
  #swap(): string {
    const [left, right] = [this.#anyFile(), this.#anyFile()];
    if (left === undefined || right === undefined || left === right) return "nothing";
    const aside = this.#free();
    this.#keepingFolder(left, () =>
      this.#keepingFolder(right, () => {
        renameSync(this.#at(left), aside);
        renameSync(this.#at(right), this.#at(left));
        renameSync(aside, this.#at(right));
      }),
    );
    return `swap ${left} and ${right}`;
  }

  #addOrRemove(): string {
    const path = this.#anyPath();
    const isThere = this.#files().includes(path);
    this.#keepingFolder(path, () => {
      if (isThere) rmSync(this.#at(path));
      else this.#set(path, this.#content());
    });
    return `${isThere ? "remove" : "add"} ${path}, its folder's time kept`;
  }

  /** Two names of one file, in the tree. */
  #linkWithin(): string {
    const from = this.#anyFile();
    const to = this.#anyPath();
    if (from === undefined || from === to) return "nothing";
    this.#keepingFolder(to, () => {
      rmSync(this.#at(to), { force: true });
      linkSync(this.#at(from), this.#at(to));
    });
    return `hard link ${from} ${to}`;
  }

  /** The same content, another time or mode. */
  #touchOnly(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const time = new Date(longAgo.getTime() + this.#below(1000) * 1000);
    if (this.#random() < 0.5) utimesSync(this.#at(path), time, time);
    else chmodSync(this.#at(path), this.#random() < 0.5 ? 0o644 : 0o600);
    return `touch or chmod ${path}`;
  }

  /** Another version of many files, all with one time, as a reproducible build or an archive has them. */
  #checkOut(): string {
    for (const path of this.#paths()) {
      if (this.#random() < 0.5) continue;
      this.#keepingFolder(path, () => {
        rmSync(this.#at(path), { force: true });
        if (this.#random() < 0.7) this.#set(path, this.#content());
      });
    }
    return "check out another version";
  }

  #writePlainly(): string {
    const path = this.#anyPath();
    if (lstatSync(this.#at(path), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      rmSync(this.#at(path));
    writeFileSync(this.#at(path), this.#content());
    return `write ${path}`;
  }

  #changeRules(): string {
    const rules = [...ignoreRules, "zz/\n"][this.#below(3)] ?? "";
    this.#set(".gitignore", rules);
    return `ignore ${rules.trim()}, size and time of .gitignore kept`;
  }

  /** A symbolic link in the place of a file; a walk leaves it out. */
  #replaceByLink(): string {
    const path = this.#anyFile();
    if (path === undefined) return "nothing";
    const target = this.#made(this.#content(), statSync(this.#at(path)).mtime);
    this.#keepingFolder(path, () => {
      rmSync(this.#at(path));
      symlinkSync(target, this.#at(path));
    });
    return `put a symbolic link in the place of ${path}`;
  }

  /** Another name of a file in the tree. */
  #linkOf(path: string): string | undefined {
    const { ino } = statSync(this.#at(path));
    const other = this.#files().find(
      (each) => each !== path && statSync(this.#at(each)).ino === ino,
    );
    return other === undefined ? undefined : this.#at(other);
  }

  #keepingFolder(path: string, change: () => void): void {
    const folder = dirname(this.#at(path));
    const { mtime } = statSync(folder);
    change();
    utimesSync(folder, mtime, mtime);
  }

  #set(path: string, content: string, time = longAgo): void {
    if (lstatSync(this.#at(path), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      rmSync(this.#at(path));
    writeFileSync(this.#at(path), content);
    utimesSync(this.#at(path), time, time);
  }

  /** A new file outside of the tree. */
  #made(content: string, time: Date): string {
    const path = this.#free();
    writeFileSync(path, content);
    utimesSync(path, time, time);
    return path;
  }

  #free(): string {
    this.#copyCount += 1;
    return join(this.#outside, String(this.#copyCount));
  }

  #content(): string {
    return `export function ${this.words[this.#below(wordCount)]}() {}\n`;
  }

  #paths(): string[] {
    return folders.flatMap((folder) => names.map((name) => folder + name));
  }

  /** Plain files of the tree. */
  #files(): string[] {
    return this.#paths().filter(
      (path) => lstatSync(this.#at(path), { throwIfNoEntry: false })?.isFile() === true,
    );
  }

  #anyPath(): string {
    const paths = this.#paths();
    return paths[this.#below(paths.length)] as string;
  }

  #anyFile(): string | undefined {
    const files = this.#files();
    return files[this.#below(files.length)];
  }

  #at(path: string): string {
    return join(this.#root, path);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}
