// Which folder may import which (docs/architecture.md has the same table with the reasons).

/** From folder → the folders of the project that it may import, itself included. */
const MAY_IMPORT = {
  domain: [],
  config: [],
  db: ['domain', 'config'],
  services: ['db', 'domain', 'config', 'workflows/.+contract'],
  workflows: ['domain'],
  activities: ['services', 'db', 'domain', 'config', 'workflows/.+contract'],
  worker: ['workflows', 'activities', 'services', 'db', 'domain', 'config', 'runtime'],
  api: ['services', 'db', 'domain', 'config', 'workflows/.+contract'],
  runtime: ['config'],
  demo: ['domain', 'workflows/.+contract'],
  // And the client for TypeScript, by which it sends requests.
  cli: ['config'],
  deploy: ['runtime'],
};

const FOLDERS = Object.keys(MAY_IMPORT);

const layers = FOLDERS.map((folder) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${['itself', ...MAY_IMPORT[folder]].join(', ')}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: {
    path: `^(${FOLDERS.join('|')}|test|bench)/`,
    pathNot: `^(${[folder, ...MAY_IMPORT[folder]].join('|')})(/|\\.ts$)`,
    // Workflows know activities by their types only, which the compiler erases.
    ...(folder === 'workflows' ? { dependencyTypesNot: ['type-only'] } : {}),
  },
}));

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'pure-domain',
      comment: 'domain/ holds rules: no I/O, no clock, no framework; only libraries of values',
      severity: 'error',
      from: { path: '^domain/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev'],
        // Exact decimals, addresses, a parser of XML, codes of countries, schemas, and the check digits of tax ids and bank accounts of all countries.
        pathNot:
          'node_modules/(big\\.js|@types/big\\.js|i18n-iso-countries|ipaddr\\.js|ibantools|saxes|stdnum|typebox)/',
      },
    },
    {
      name: 'deterministic-workflows',
      comment: 'workflows/ run in a sandbox and are replayed: only the workflow SDK, types of others',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/(@temporalio/(workflow|common|activity)|@noble/hashes)/',
      },
    },
    {
      name: 'one-door-for-http',
      comment:
        'services/platform/outbound/ alone sends HTTP: it checks every address; biome.json forbids the global fetch likewise',
      severity: 'error',
      from: {
        path: '^(services|activities|worker|db|config|domain|workflows)/',
        pathNot: '^services/platform/outbound/',
      },
      to: {
        dependencyTypesNot: ['type-only'],
        path: '^(node:)?(http|https|http2|net|tls|dns|dns/promises|dgram)$|node_modules/undici/',
      },
    },
    {
      name: 'one-door-for-http-from-the-api',
      comment: 'api/ listens, and sends nothing',
      severity: 'error',
      from: { path: '^api/' },
      to: {
        dependencyTypesNot: ['type-only'],
        path: '^(node:)?(https|http2|net|tls|dns|dns/promises|dgram)$|node_modules/undici/',
      },
    },
    {
      name: 'no-cycles',
      comment: 'no circles between files; types count',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { pathNot: '^(test|bench|deploy/cluster)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
    },
  },
};
