import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { paged, summaryOf } from '../page.ts';
import { personParams } from '../people/schema.ts';
import { workspaceParams } from '../workspaces/schema.ts';
import { personalDataRoutes } from './routes.ts';
import { dataJob, dataJobParams, dataJobsQuery } from './schema.ts';

const tag = 'Personal data';
const archive =
  'Makes a zip archive of account, conversations, memories, feedback and files, for the one who asked, for seven days.';

export const erasePerson = operation({
  id: 'personalData.erase',
  route: personalDataRoutes['personalData.erase'],
  summary: 'Erase a person',
  description:
    'Deactivates the person at once, then deletes their conversations, memories, feedback, files, keys and account by a job, and their words in conversations of others. It can not be undone. What only names the id stays: figures, costs, the audit log. The last administrator of the organization is refused with 409 `last_administrator`.',
  tag,
  permission: 'org:admin',
  params: personParams,
  answer: dataJob,
});

export const exportPerson = operation({
  id: 'personalData.export',
  route: personalDataRoutes['personalData.export'],
  summary: 'Export the data of a person',
  description: `${archive} Progress is read with \`GET /v1/data-jobs/{data_job_id}\`.`,
  tag,
  permission: 'org:admin',
  params: personParams,
  answer: dataJob,
});

export const exportOwn = operation({
  id: 'personalData.exportOwn',
  route: personalDataRoutes['personalData.exportOwn'],
  summary: 'Export your own data',
  description: `${archive} One at a time: while one is being made, 409 \`export_running\`.`,
  tag: 'Sign-in',
  permission: 'session',
  idempotency: 'none',
  answer: dataJob,
});

export const exportWorkspace = operation({
  id: 'workspaces.export',
  route: personalDataRoutes['workspaces.export'],
  summary: 'Export a workspace',
  description:
    'Makes a zip archive of agents and workflows with their versions, tables with rows, knowledge bases with documents, variables, roles, triggers, deployments, webhooks, evaluations and the files of these, for the one who asked, for seven days. Values of secrets are left out. Members, keys, conversations, memories, runs and the audit log are not part of it. While one is being made, 409 `export_running`.',
  tag,
  permission: 'workspace_admin',
  params: workspaceParams,
  errors: [noSuch('workspace'), conflicts('export_running', 'An export of the workspace is under way.')],
  answer: dataJob,
});

export const importWorkspace = operation({
  id: 'workspaces.import',
  route: personalDataRoutes['workspaces.import'],
  summary: 'Import a workspace',
  description:
    'Makes a new workspace from an archive that an export has made, here or on another server. All records get new ids, and references to them are rewritten; references to other records are dropped. Documents are trained again; triggers, deployments and webhooks are switched off. `follow_up` of the job lists the secrets to fill in and what was left out. The new workspace is deleted again when the import fails.',
  tag,
  permission: 'org:admin',
  upload: { field: 'file', description: 'The archive.' },
  answer: dataJob,
});

export const listDataJobs = operation({
  id: 'dataJobs.list',
  route: personalDataRoutes['dataJobs.list'],
  summary: 'List erasures, exports and imports',
  description:
    'Returns the jobs of the organization with their reports, the newest first. Archives are for those who asked.',
  tag,
  permission: 'org:admin',
  query: dataJobsQuery,
  answer: paged(
    dataJob,
    summaryOf(dataJob, [
      'id',
      'kind',
      'person_id',
      'group_id',
      'status',
      'progress',
      'has_file',
      'created_by',
      'created_by_actor',
      'created_at',
      'ended_at',
    ]),
  ),
});

export const getDataJob = operation({
  id: 'dataJobs.get',
  route: personalDataRoutes['dataJobs.get'],
  summary: 'Get an erasure, export or import of yours',
  description: 'Returns a job that the caller asked for, with its progress and report; other jobs are not found.',
  tag,
  permission: 'any',
  without_workspace: true,
  params: dataJobParams,
  answer: dataJob,
});

export const downloadDataJob = operation({
  id: 'dataJobs.download',
  route: personalDataRoutes['dataJobs.download'],
  summary: 'Download the archive of an export',
  description:
    'Streams the zip archive to the person or key that asked for it; 409 `export_not_ready` while it is being made, 404 after it has expired.',
  tag,
  permission: 'any',
  without_workspace: true,
  params: dataJobParams,
  answer: dataJob,
  content_type: 'application/zip',
});

export const personalDataOperations = [
  ...[erasePerson, exportPerson, exportOwn],
  ...[exportWorkspace, importWorkspace],
  ...[listDataJobs, getDataJob, downloadDataJob],
];
