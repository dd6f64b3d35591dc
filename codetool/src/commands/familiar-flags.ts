type Familiar = { readonly [name: string]: string };

const lines: Familiar = {
  offset: "--lines N-M",
  limit: "--lines N-M",
  start: "--lines N-M",
  end: "--lines N-M",
  start_line: "--lines N-M",
  end_line: "--lines N-M",
  line: "--lines N",
  range: "--lines N-M",
  head: "--lines 1-N",
  max_lines: "--lines 1-N",
  function: "--symbol NAME",
  class: "--symbol NAME",
};

const writing: Familiar = {
  write: "--apply",
  w: "--apply",
  in_place: "--apply",
  i: "--apply",
  yes: "--apply",
  dry_run: "without --apply nothing is written",
};

const matches: Familiar = {
  limit: "--top-k N",
  max_count: "--top-k N",
  max_results: "--top-k N",
  max_matches: "--top-k N",
  head_limit: "--top-k N",
  top: "--top-k N",
  k: "--top-k N",
  m: "--top-k N",
  fixed_strings: "--literal",
  f: "--literal",
  extended_regexp: "--regex",
  perl_regexp: "--regex",
  regexp: "--regex",
  e: "--regex",
  p: "--regex",
  smart_case: "--ignore-case",
  s: "--ignore-case",
  case_insensitive: "--ignore-case",
  after_context: "--context N",
  before_context: "--context N",
  a: "--context N",
  b: "--context N",
  include: "--glob GLOB",
  iglob: "--glob GLOB",
  exclude: "--glob '!GLOB'",
  line_number: "each match has its line",
  n: "each match has its line",
  recursive: "folders are searched with all that is in them",
  r: "folders are searched with all that is in them",
  count: "the answer has total_matches",
  c: "the answer has total_matches",
};

/** By command: what grep, rg, cat, find, sed, git and the file tools of coding agents call what is called otherwise here. */
export const familiarFlags: { readonly [command: string]: Familiar } = {
  search: matches,
  read: lines,
  find: {
    name: "--pattern GLOB",
    iname: "--pattern GLOB",
    n: "--pattern GLOB",
    glob: "--pattern GLOB",
    g: "--pattern GLOB",
    ext: "--pattern '*.EXT'",
    extension: "--pattern '*.EXT'",
    max_depth: "--depth N",
    maxdepth: "--depth N",
    d: "--depth N",
    since: "--changed-since REF|TIME",
    newer: "--changed-since REF|TIME",
    query: "--related-to QUERY",
  },
  edit: {
    ...writing,
    old: "--find TEXT",
    old_string: "--find TEXT",
    old_text: "--find TEXT",
    search: "--find TEXT",
    from: "--find TEXT",
    pattern: "--find TEXT",
    new: "--replace TEXT",
    new_string: "--replace TEXT",
    new_text: "--replace TEXT",
    with: "--replace TEXT",
    to: "--replace TEXT",
    replace_all: "--all",
    global: "--all",
    function: "--in-function NAME",
    class: "--in-class NAME",
  },
  rename: { ...writing, file: "--in-file FILE" },
  diff: {
    base: "--since REF",
    from: "--since REF",
    ref: "--since REF",
    against: "--since REF",
    cached: "--staged",
    stat: "--stat-only",
    name_only: "--stat-only",
  },
  impact: { depth: "--hops N", max_depth: "--hops N", function: "--symbol NAME" },
  outline: { max_depth: "--depth N", type: "--kind KIND" },
};

/** Of every command. */
export const familiarEverywhere: Familiar = {
  max_tokens: "--budget N",
  token_limit: "--budget N",
  tokens: "--budget N",
};

/**
 * Says what another program's flag is called here.
 *
 * @param command Name of a command.
 * @param name A flag that the command does not have, snake_case, without dashes; one letter of a short one, small.
 * @returns A flag, as it is written on the command line, or what the command does anyway; undefined where nothing is known.
 */
export function familiarFlag(command: string, name: string): string | undefined {
  for (const table of [familiarFlags[command], familiarEverywhere])
    if (table !== undefined && Object.hasOwn(table, name)) return table[name];
  return undefined;
}
