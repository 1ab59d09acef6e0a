// Alone in its process: walk.ts makes the app when it is read, once in a process.
import { walkRoutes } from './walk-routes.ts';

walkRoutes((index) => index % 4 !== 0);
