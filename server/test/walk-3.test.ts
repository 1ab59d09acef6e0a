import { walkRoutes } from './walk.ts';

walkRoutes(2, 4);
