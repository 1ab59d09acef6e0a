import { findPersonalData } from '@atrium/contract/safety/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { PiiCheck } from './check-pii.ts';

export const safetyRoutes = (checks: PiiCheck): Route[] => [
  handle(findPersonalData, (_scope, { body }) => checks.pii(body)),
];
