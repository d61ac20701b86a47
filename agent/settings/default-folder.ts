/** Where the agent of a package keeps what it has; the user of a Raspberry Pi gives another folder. */
export const defaultFolder = '/var/lib/gettone-agent'
