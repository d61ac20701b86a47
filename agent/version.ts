/** The version of the agent, in four numbers as firmware has it: in its hello, and of its updates. Its packages have the first three. */
export const agentVersion = '0.1.0.0'
