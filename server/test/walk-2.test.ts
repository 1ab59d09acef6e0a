import { walkRoutes } from './walk.ts';

walkRoutes(1, 4);
