import { replaceCompany } from '../../services/settings/company.ts';
import { loadVersionedSettings } from '../../services/settings/settings.ts';
import { settings } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { companyInputSchema, companySchema } from './schemas.ts';

const TAG = 'Company';

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/company',
    id: 'getCompany',
    summary: 'The company of the request',
    description: 'What is printed on its documents, and its currency.',
    tag: TAG,
    access: 'company:read',
    responses: { 200: companySchema },
    headers: ['ETag'],
    handler: async ({ db }) => settings(await loadVersionedSettings(db, 'company')),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/company',
    id: 'replaceCompany',
    summary: 'Replace the data of the company',
    problems: ['in_use', 'duplicate'],
    description: 'Members that are left out go back to their defaults.',
    tag: TAG,
    access: 'company:update',
    body: companyInputSchema,
    responses: { 200: companySchema },
    headers: ['ETag'],
    handler: async ({ db, ctx, body, ifMatch }) => settings(await replaceCompany(db, ctx, body, ifMatch)),
  }),
];
