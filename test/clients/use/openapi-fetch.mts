/** Uses the types of openapi-typescript with openapi-fetch, as a client of ours would. */
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);

const login = await createClient<paths>({ baseUrl }).POST('/api/auth/login', { body: { email, password } });
if (login.data === undefined) throw new Error(login.error.detail);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${login.data.token}` } });

const groups = await client.GET('/api/partnerGroups', { params: { query: { sort: ['name', '-code'], limit: 1 } } });
const groupId = groups.data?.data[0]?.id;
if (groupId === undefined) throw new Error('There is no partner group');

const made = await client.POST('/api/partners', { body: { name: 'Made by openapi-fetch', groupId } });
if (made.data === undefined) throw new Error(made.error.detail);
const { id } = made.data.data;

const read = await client.GET('/api/partners/{id}', { params: { path: { id } } });
if (read.data === undefined) throw new Error(read.error.detail);
const changed = await client.PATCH('/api/partners/{id}', {
  params: { path: { id }, header: { 'If-Match': read.response.headers.get('ETag') ?? '' } },
  body: { ...read.data.data, name: 'Changed by openapi-fetch' },
});
if (changed.data?.data.name !== 'Changed by openapi-fetch') throw new Error(`The change: ${changed.error?.detail}`);

const missing = await client.GET('/api/partners/{id}', { params: { path: { id: groupId } } });
if (missing.error?.code !== 'not_found') throw new Error('What is not there must be not_found');
