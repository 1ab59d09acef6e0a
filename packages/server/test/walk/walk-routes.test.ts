// Alone in its process: walk.ts makes the app when it is read, once in a process.
import { checkAllRoutes, walkRoutes } from './walk-routes.ts';

checkAllRoutes();
walkRoutes((index) => index % 4 === 0);
