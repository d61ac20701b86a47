import { createClient, GettoneError } from 'gettone-client'

const { GETTONE_URL = '', GETTONE_TOKEN = '', GETTONE_MERCHANT = '' } = process.env
const client = createClient({ url: GETTONE_URL, token: GETTONE_TOKEN })

try {
  const params = { merchantId: GETTONE_MERCHANT }
  for await (const machine of client.each('listMachines', { params })) console.log(machine.serial, machine.name)
} catch (error) {
  if (!(error instanceof GettoneError)) throw error
  console.error(error.code, error.problem?.requestId)
  process.exitCode = 1
}
