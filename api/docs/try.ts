/** The page at /docs/try, on which requests can be tried out in the browser: Swagger UI, which takes some seconds to show everything. */
export const TRY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it out · Business Management Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/viewer.css">
</head>
<body>
<div id="reference"></div>
<noscript>The description is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/docs/viewer.js"></script>
<script src="/docs/try.js"></script>
</body>
</html>
`;

/**
 * Starts the viewer with everything collapsed. Nothing may leave the machine, and the browser must not store tokens.
 * The viewer would send the examples of optional parameters with every request that is tried out, so they become plain
 * text.
 */
export const TRY_SCRIPT = `(async () => {
  const spec = await (await fetch('/api/openapi.json')).json();
  for (const parameter of Object.values(spec.components.parameters)) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description = [parameter.description, 'For example: ' + parameter.example].filter(Boolean).join('. ');
    delete parameter.example;
  }
  SwaggerUIBundle({
    spec,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
})();
`;
