import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
import { sandboxesRoutes } from './routes.ts';
import { sandboxParams } from './schema.ts';
import {
  terminalParams as params,
  terminal,
  terminalInput,
  terminalOpen,
  terminalOutput,
  terminalOutputQuery,
  terminalQuery,
  terminalSize,
} from './terminals.ts';

const tag = 'Sandboxes';
const permission = 'sandboxes_run';
const audit = { none: 'a sandbox is the work of its caller, as a run is' };

export const openTerminal = operation({
  id: 'terminals.open',
  route: sandboxesRoutes['terminals.open'],
  summary: 'Open a terminal in a sandbox',
  description:
    'Starts a shell in a terminal, in which programs can ask for input and draw on the screen. It has the limits, the network and the isolation of a command of this sandbox, and belongs to the caller: for all others it does not exist. It ends after 15 minutes without input, with the sandbox, or by DELETE. Fails with 409 `terminal_unavailable` where the engine offers none, and with 409 `terminal_limit_reached` when 4 terminals of the sandbox are open, or the workspace has half of the terminals that the server runs at once. When the server runs no more, it answers 503 `terminals_busy`.',
  tag,
  permission,
  audit,
  params: sandboxParams,
  body: terminalOpen,
  example: { rows: 24, cols: 80 },
  answer: terminal,
});

export const listTerminals = operation({
  id: 'terminals.list',
  route: sandboxesRoutes['terminals.list'],
  summary: "List the caller's terminals in a sandbox",
  description:
    'Returns the terminals that the caller has opened in this sandbox, newest first. One that has ended stays listed for five minutes.',
  tag,
  permission,
  params: sandboxParams,
  query: terminalQuery,
  answer: paged(terminal, summaryOf(terminal, ['id', 'status', 'rows', 'cols', 'created_at', 'last_input_at'])),
});

export const getTerminal = operation({
  id: 'terminals.get',
  route: sandboxesRoutes['terminals.get'],
  summary: 'Get a terminal of a sandbox',
  description: 'Returns one terminal of the caller with its size, and how it ended. Looking at it is no input.',
  tag,
  permission,
  params,
  answer: terminal,
});

export const followTerminal = operation({
  id: 'terminals.follow',
  route: sandboxesRoutes['terminals.follow'],
  summary: 'Follow the output of a terminal',
  description:
    'Streams what the terminal shows as server-sent events, from its beginning or after the event that `Last-Event-ID` names: `output` with its text, and `end`, after which nothing comes. The last 256 KiB are kept; where earlier output is asked for, the event `reset` comes first and says that the screen begins anew. Up to 8 readers at once may follow a terminal through a server, with 409 `terminal_followers_reached` for the next, and it goes on when none does.',
  tag,
  permission,
  params,
  query: terminalOutputQuery,
  content_type: 'text/event-stream',
  answer: terminalOutput,
});

export const writeTerminal = operation({
  id: 'terminals.write',
  route: sandboxesRoutes['terminals.write'],
  summary: 'Type into a terminal',
  description:
    'Hands text to the terminal as if it were typed. What is sent with one request after another arrives in that order. Fails with 409 `terminal_ended` when the shell has ended, and with 409 `terminal_busy` when 256 KiB wait for a program that does not read.',
  tag,
  permission,
  audit,
  params,
  body: terminalInput,
  example: { data: 'ls -l\r' },
  answer: success,
});

export const resizeTerminal = operation({
  id: 'terminals.resize',
  route: sandboxesRoutes['terminals.resize'],
  summary: 'Change the size of a terminal',
  description:
    'Sets the lines and the characters in a line, and tells the program in the terminal, which draws its screen again. Fails with 409 `terminal_ended` when the shell has ended.',
  tag,
  permission,
  audit,
  params,
  body: terminalSize,
  example: { rows: 40, cols: 120 },
  answer: terminal,
});

export const closeTerminal = operation({
  id: 'terminals.delete',
  route: sandboxesRoutes['terminals.delete'],
  summary: 'End a terminal',
  description:
    'Ends the shell of the terminal with all that it started. Its followers read `end` with the reason `stopped`. Files stay; a terminal that has ended already stays as it is.',
  tag,
  permission,
  audit,
  params,
  answer: success,
});

export const terminalOperations = [
  openTerminal,
  listTerminals,
  getTerminal,
  followTerminal,
  writeTerminal,
  resizeTerminal,
  closeTerminal,
];
