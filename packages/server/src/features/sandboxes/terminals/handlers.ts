import { done } from '@atrium/contract/page.ts';
import {
  closeTerminal,
  followTerminal,
  getTerminal,
  listTerminals,
  openTerminal,
  resizeTerminal,
  writeTerminal,
} from '@atrium/contract/sandboxes/terminal-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Terminals } from './terminals.ts';

export const terminalRoutes = (terminals: Terminals): Route[] => [
  handle(openTerminal, (scope, { params, body }) => terminals.open(scope, params.sandbox_id, body)),
  handle(listTerminals, (scope, { params, query }) => terminals.list(scope, params.sandbox_id, query)),
  handle(getTerminal, (scope, { params }) => terminals.get(scope, params.sandbox_id, params.terminal_id)),
  handle(followTerminal, (scope, { params, query, last_event_id }) =>
    terminals.follow(scope, params.sandbox_id, params.terminal_id, last_event_id ?? query.last_event_id),
  ),
  handle(writeTerminal, (scope, { params, body }) =>
    terminals.write(scope, params.sandbox_id, params.terminal_id, body.data, done),
  ),
  handle(resizeTerminal, (scope, { params, body }) =>
    terminals.resize(scope, params.sandbox_id, params.terminal_id, body),
  ),
  handle(closeTerminal, async (scope, { params }) => {
    await terminals.end(scope, params.sandbox_id, params.terminal_id);
    return done;
  }),
];
