import type { Evidence } from '@atrium/contract/settings/key.ts';

const sandbox = {
  test: 'an entry of type sandbox gives the agent a sandbox: files, commands with include_execute, kept when persistent',
};

/** The same of types that are no base tools and have fields of their own. */
export const otherToolTests: Readonly<Record<string, Readonly<Record<string, Evidence>>>> = {
  sandbox: { itself: sandbox, persistent: sandbox, include_execute: sandbox },
};

/** How we know that each base tool does what it says (`itself`), and each of its own fields. */
export const baseToolTests: Readonly<Record<string, Readonly<Record<string, Evidence>>>> = {
  human_in_the_loop: {
    itself: { test: 'a person is asked, the run waits, and the answer is the tool’s result' },
    has_timeout: { test: 'without has_timeout a question does not expire, even with a timeout' },
    timeout: { test: 'has_timeout: after timeout seconds the model gets the message that no answer came' },
    handover_message: { test: 'a person is asked, the run waits, and the answer is the tool’s result' },
  },
  web_research: { itself: { test: 'web_research reads the article of a page, with its source' } },
  files: {
    itself: { test: 'files makes documents that are files of the workspace and parts of the reply' },
    allow_html_graphs: { test: 'allow_html_graphs draws charts that run no script and reach nothing' },
    show_inline: { test: 'show_inline says whether files are shown in the reply itself' },
    custom_author_name: { test: 'custom_author_name writes author_name into the metadata of documents' },
    author_name: { test: 'custom_author_name writes author_name into the metadata of documents' },
    enable_python_sandbox: { test: 'enable_python_sandbox makes files by code' },
    enable_formula_eval: { test: 'enable_formula_eval computes the formulas of a spreadsheet' },
    experimental: { test: 'experimental adds markdown, pptx and json' },
  },
  memory: { itself: { test: 'memory remembers and recalls within one conversation' } },
  filesystem: { itself: { test: 'filesystem lists, reads, writes and searches the files of a conversation' } },
  code_execution: {
    itself: {
      test: 'code_execution runs Python, JavaScript and Bash on the files of the conversation, and returns new files',
    },
    timeout: { test: 'timeout of code_execution ends code that takes too long' },
  },
  agent_memory: { itself: { test: 'agent_memory remembers across the conversations of an agent, and forgets' } },
  documentation: { itself: { test: 'documentation answers about this platform from its own pages, with sources' } },
  todos: {
    itself: { test: 'todos keep a list on the conversation: read, add, write, change and remove' },
    enable_subtasks: { test: 'enable_subtasks lets a to-do be a part of another' },
  },
  image_generation: {
    itself: {
      test: 'image_generation adds an image to the reply and sends nothing private to the model',
    },
  },
};
