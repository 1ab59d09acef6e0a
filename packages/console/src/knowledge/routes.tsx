import { laterRoutes } from '../shell/later-routes.tsx';
import { t } from '../text/en.ts';

export const knowledgeRoutes = laterRoutes('/knowledge', t.shell.knowledge);
