/** Uses the client that @hey-api/openapi-ts has generated. */
import { client } from './client/client.gen.ts';
import { createPartner, getPartner, listPartnerGroups, login, updatePartner } from './client/sdk.gen.ts';

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
client.setConfig({ baseUrl });

const session = await login({ body: { email, password } });
if (session.data === undefined) throw new Error(session.error.detail);
const { token } = session.data;
client.setConfig({ auth: () => token });

const groups = await listPartnerGroups({ query: { sort: ['name', '-code'], limit: 1 } });
const groupId = groups.data?.data[0]?.id;
if (groupId === undefined) throw new Error('There is no partner group');

const made = await createPartner({ body: { name: 'Made by hey-api', groupId } });
if (made.data === undefined) throw new Error(made.error.detail);
const path = { id: made.data.data.id };

const read = await getPartner({ path });
if (read.data === undefined) throw new Error(read.error.detail);
const changed = await updatePartner({
  path,
  headers: { 'If-Match': read.response.headers.get('ETag') ?? '' },
  body: { ...read.data.data, name: 'Changed by hey-api' },
});
if (changed.data?.data.name !== 'Changed by hey-api') throw new Error(`The change: ${changed.error?.detail}`);

const missing = await getPartner({ path: { id: groupId } });
if (missing.error?.code !== 'not_found') throw new Error('What is not there must be not_found');
