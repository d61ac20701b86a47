/** Where the endpoints of the contract begin. */
export const apiPrefix = '/api/v1'
