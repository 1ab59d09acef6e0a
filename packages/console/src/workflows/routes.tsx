import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const workflowRoutes = laterRoutes('/workflows', t.shell.workflows);
