/** Uses the client that openapi-generator has generated for TypeScript and fetch. */
import { AuthenticationApi, Configuration, PartnersApi, ResponseError } from './typescript-fetch/index.ts';

const [basePath = '', email = '', password = ''] = process.argv.slice(2);

const { token } = await new AuthenticationApi(new Configuration({ basePath })).login({
  loginBody: { email, password },
});
const configuration = new Configuration({ basePath, accessToken: token });
const partners = new PartnersApi(configuration);
const groups = await new PartnersApi(configuration).listPartnerGroups({ sort: ['name', '-code'], limit: 1 });
const groupId = String(groups.data[0]?.id);

const made = await partners.createPartner({ partnerCreate: { name: 'Made by typescript-fetch', groupId } });
const { id } = made.data;
const read = await partners.getPartnerRaw({ id });
const changed = await partners.updatePartner({
  id,
  ifMatch: read.raw.headers.get('ETag') ?? '',
  partnerPatch: { ...(await read.value()).data, name: 'Changed by typescript-fetch' },
});
if (changed.data.name !== 'Changed by typescript-fetch') throw new Error('The change');

const found = await partners.listPartners({ name: { contains: 'by typescript-fetch' } });
if (found.data.map((one) => one.id).join() !== id) throw new Error(`The filter: ${JSON.stringify(found)}`);

const missing = await partners.getPartner({ id: groupId }).catch((error: unknown) => error);
if (!(missing instanceof ResponseError) || (await missing.response.json()).code !== 'not_found')
  throw new Error('What is not there must be not_found');
