import {
  downloadDataJob,
  erasePerson,
  exportOwn,
  exportPerson,
  getDataJob,
  listDataJobs,
} from '@atrium/contract/personal-data/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { PersonalData } from './service.ts';

export const personalDataRoutes = (data: PersonalData): Route[] => [
  handle(erasePerson, (scope, { params }) => data.erase(scope, params.person_id)),
  handle(exportPerson, (scope, { params }) => data.export(scope, params.person_id)),
  handle(exportOwn, (scope) => data.export(scope, scope.actor.id)),
  handle(listDataJobs, (scope, { query }) => data.list(scope, query)),
  handle(getDataJob, (scope, { params }) => data.get(scope, params.data_job_id)),
  handle(downloadDataJob, (scope, { params }) => data.download(scope, params.data_job_id)),
];
