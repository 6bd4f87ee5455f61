// The wings of services/ and the rooms within them (decision 0210). A wing imports the wings listed for it and no others, so that
// there are no circles; the same holds for domain/. Rooms form no circles either. Imports of types count.
const { options } = require('./.dependency-cruiser.cjs');

/** Wing → the wings that it may import. */
const WINGS = {
  platform: [],
  messages: ['platform'],
  ledger: ['platform', 'messages'],
  records: ['platform', 'messages', 'ledger'],
  access: ['platform', 'messages', 'records'],
  trade: ['platform', 'messages', 'ledger', 'records'],
  bank: ['platform', 'ledger', 'records', 'trade'],
  staff: ['platform', 'messages', 'ledger', 'records', 'trade', 'bank'],
  contracts: ['platform', 'messages', 'ledger', 'records', 'trade', 'bank'],
  reports: ['platform', 'messages', 'ledger', 'records', 'access', 'trade'],
  integrations: ['platform', 'messages', 'records', 'access', 'trade', 'reports'],
  operation: ['platform', 'messages', 'ledger', 'records', 'trade', 'integrations'],
};

/** The same for domain/, whose loose files and `locale` serve all wings. */
const DOMAIN = {
  records: [],
  platform: ['records'],
  trade: ['records'],
  staff: ['records'],
  ledger: ['trade', 'messages'],
  bank: ['records', 'trade'],
  messages: ['platform', 'records', 'trade'],
  contracts: ['platform', 'trade'],
  access: ['messages'],
  reports: ['records', 'trade', 'ledger'],
  integrations: ['platform', 'records', 'trade', 'messages'],
};

const wingRules = (layer, wings, shared) =>
  Object.entries(wings).map(([wing, others]) => ({
    name: `${layer}-${wing}`,
    comment: `${layer}/${wing}/ may import ${['itself', ...others, ...shared].join(', ')}`,
    severity: 'error',
    from: { path: `^${layer}/${wing}/` },
    to: { path: `^${layer}/[^/]+/`, pathNot: `^${layer}/(${[wing, ...others, ...shared].join('|')})/` },
  }));

module.exports = {
  forbidden: [
    ...wingRules('services', WINGS, []),
    ...wingRules('domain', DOMAIN, ['locale']),
    {
      name: 'declared-wings',
      comment: `a folder of services/ is one of ${Object.keys(WINGS).join(', ')}`,
      severity: 'error',
      from: { path: '^services/', pathNot: `^services/(${Object.keys(WINGS).join('|')})/` },
      to: {},
    },
    {
      name: 'no-circles-of-rooms',
      severity: 'error',
      scope: 'folder',
      from: { path: '^services/[^/]+/[^/]+$' },
      to: { circular: true },
    },
  ],
  options: { ...options, includeOnly: '^(services|domain)/' },
};
