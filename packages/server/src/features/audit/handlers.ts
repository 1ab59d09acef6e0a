import { exportAudit, listAudit, verifyAudit } from '@atrium/contract/audit/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { AuditLog } from './service.ts';

export const auditRoutes = (audit: AuditLog): Route[] => [
  handle(listAudit, (scope, { query }) => audit.list(scope, query)),
  handle(exportAudit, (scope, { query }) => audit.export(scope, query)),
  handle(verifyAudit, (scope, { query }) => audit.verify(scope, query.group_id)),
];
