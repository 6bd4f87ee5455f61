declare module 'saxon-js' {
  const SaxonJS: {
    transform(options: {
      readonly stylesheetInternal: unknown;
      readonly sourceText: string;
      readonly destination: 'serialized';
    }): { readonly principalResult: string };
  };
  export default SaxonJS;
}
