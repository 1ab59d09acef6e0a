import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../routes.tsx';
import { NotYet } from './not-yet.tsx';

/** A page that is not built, and all addresses below it: each says so and leads to the API that has it. */
export const laterRoutes = (path: string, title: string) =>
  [path, `${path}/$`].map((address) =>
    createRoute({ getParentRoute: () => workspaceRoute, path: address, component: () => <NotYet title={title} /> }),
  );
