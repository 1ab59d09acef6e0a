import { handle, type Route } from '../../lib/route.ts';
import { findPersonalData } from './operations.ts';
import type { SafetyChecks } from './service.ts';

export const safetyRoutes = (checks: SafetyChecks): Route[] => [
  handle(findPersonalData, (_scope, { body }) => checks.pii(body)),
];
