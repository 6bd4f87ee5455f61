// The folders of services/ are rooms without circles between them. What joins two of them belongs in a third: trade/ joins
// documents, stock, ledger and payments.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circles-of-rooms',
      severity: 'error',
      scope: 'folder',
      from: { path: '^services/[^/]+$' },
      to: { circular: true },
    },
  ],
  options: { ...options, includeOnly: '^services/' },
};
