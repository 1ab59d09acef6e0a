import { operation } from '../operation.ts';
import { systemRoutes } from './routes.ts';
import { systemState } from './schema.ts';

export const getSystem = operation({
  id: 'system.get',
  route: systemRoutes['system.get'],
  summary: 'Get the state of the system',
  description:
    'Returns what an administrator of the organization wants to know of the server: version, workers, queue, disk, database, sandboxes, which environment variables are set, and what would be better. Values of environment variables, addresses and errors of jobs are never part of it. Figures of disk and memory are those of the process that answers.',
  tag: 'System',
  permission: 'org:admin',
  answer: systemState,
});

export const systemOperations = [getSystem];
