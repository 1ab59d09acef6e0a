import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';
import { t } from '../text/en.ts';
import { NotYet } from './not-yet.tsx';

/** The page and all addresses below it, which the palette leads to already. */
const later = (path: string, title: string) =>
  [path, `${path}/$`].map((address) =>
    createRoute({ getParentRoute: () => workspaceRoute, path: address, component: () => <NotYet title={title} /> }),
  );

/** Entries whose pages are not built: each says so and leads to the API that has them. */
export const laterRoutes = [
  ...later('/workflows', t.shell.workflows),
  ...later('/knowledge', t.shell.knowledge),
  ...later('/tables', t.shell.tables),
  ...later('/resources', t.shell.resources),
  ...later('/runs', t.shell.runs),
  ...later('/insights', t.shell.insights),
  ...later('/evaluations', t.shell.evaluations),
  ...later('/admin', t.shell.admin),
];
