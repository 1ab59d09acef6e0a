// Alone in its process: walk.ts makes the app when it is read, once in a process.
import { walkRoutes, walkTheWhole } from './walk.ts';

walkTheWhole();
walkRoutes(0, 4);
