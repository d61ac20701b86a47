/** The version of the agent, as its package and its hello name it. */
export const agentVersion = '0.1.0'
