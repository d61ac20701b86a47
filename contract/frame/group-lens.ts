/**
 * The groups that a user has selected for now: ids separated by commas, in this header of any call whose path names a merchant. It
 * narrows the call to machines of these groups, and never widens it; machines without a group are left out.
 */
export const groupsHeader = 'gettone-groups'

/** Whether a row's path names a merchant and no other object, so that the portal narrows it to the selected groups. */
export const isOfManyMachines = ({ path }: { path: string }): boolean =>
  path.includes('{merchantId}') && path.match(/\{/g)?.length === 1
