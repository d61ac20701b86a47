/** The path prefix of the contract's endpoints. */
export const apiPrefix = '/api/v1'
