// npm ci downloads no browser: the worker finds one at run time (runtime/chromium.ts says in which order).
module.exports = { skipDownload: true };
