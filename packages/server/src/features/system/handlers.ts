import { getSystem } from '@atrium/contract/system/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { System } from './service.ts';

export const systemRoutes = (system: System): Route[] => [handle(getSystem, (scope) => system.get(scope))];
