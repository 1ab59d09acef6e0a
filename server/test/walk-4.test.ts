import { walkRoutes } from './walk.ts';

walkRoutes(3, 4);
