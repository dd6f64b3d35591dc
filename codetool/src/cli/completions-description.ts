import type { CommandDescription } from "../commands/index.ts";

/** The row of `completions` for `--help` and argument parsing: its answer is for a shell, so that it is a text and no envelope. */
export const completionsDescription: CommandDescription = {
  name: "completions",
  summary: "print what bash, zsh or fish need to complete command lines of codetool",
  examples: [
    {
      commandLine: 'eval "$(codetool completions bash)"',
      remark: "in ~/.bashrc; for zsh in ~/.zshrc, after compinit",
    },
    {
      commandLine: "codetool completions fish > ~/.config/fish/completions/codetool.fish",
      remark: "once",
    },
  ],
  positionals: [
    {
      name: "shell",
      isRequired: true,
      choices: ["bash", "zsh", "fish"],
      summary: "the shell",
    },
  ],
  flags: [],
};
