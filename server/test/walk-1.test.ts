import { walkRoutes, walkTheWhole } from './walk.ts';

walkTheWhole();
walkRoutes(0, 4);
