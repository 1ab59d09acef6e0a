import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { auditRoutes } from './routes.ts';
import { auditExportQuery, auditPage, auditQuery, auditReport, auditVerifyQuery } from './schema.ts';

const tag = 'Audit';
const permission = ['workspace_admin', 'audit_read'] as const;
const whose =
  'A caller with `org:admin` sees the whole organization; others see the workspace that they act in, and 404 for every other one.';

export const listAudit = operation({
  id: 'audit.list',
  route: auditRoutes['audit.list'],
  summary: 'Page through the changes that were made, the latest first',
  description: `Returns who changed what, from where and with which key or session, what it was before and after, and what was refused; sign-ins too. Messages and runs are not in it. With \`reads\` or \`outcome=read\`: who read, exported or downloaded what is another person's, queried the tables of conversations, or worked in the sandbox of another person's conversation. ${whose}`,
  tag,
  permission,
  query: auditQuery,
  errors: [noSuch('workspace')],
  answer: auditPage,
});

export const exportAudit = operation({
  id: 'audit.export',
  route: auditRoutes['audit.export'],
  summary: 'Export the changes that were made as NDJSON or CSV',
  description: `Streams the entries that match the filters, the latest first. In CSV, texts that a spreadsheet would run as a formula begin with a '. The export is an entry of the log itself. ${whose}`,
  tag,
  permission,
  audit: true,
  query: auditExportQuery,
  errors: [noSuch('workspace')],
  content_type: 'application/x-ndjson',
  answer: z.unknown(),
});

export const verifyAudit = operation({
  id: 'audit.verify',
  route: auditRoutes['audit.verify'],
  summary: 'Verify the hash chains of the audit log',
  description: `Computes every link of the chains again and names entries that were altered, deleted, inserted or moved in the database. One verification runs at a time; \`npm run audit-verify\` does the same. ${whose}`,
  tag,
  permission,
  query: auditVerifyQuery,
  errors: [noSuch('workspace'), conflicts('verification_running', 'Another verification is running on this node.')],
  answer: auditReport,
});

export const auditOperations = [listAudit, exportAudit, verifyAudit];
