/** `npm run test:full`: tests then try all variants and check each screen they pass. */
export const isFullRun = process.env.TEST_RUN === 'full'
