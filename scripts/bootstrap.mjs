// @ts-check
// Runs a script of this folder with Node 24, and installs missing packages first. It runs in a fresh clone, so it works
// on Node 20 and without packages: node scripts/bootstrap.mjs scripts/serve.ts --demo
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finishInstallation, isInstalled, node24, packagesForThisMachine } from './installation.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [script, ...scriptArguments] = process.argv.slice(2)

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Gettone needs Node 20 or later to install. This is Node ${process.versions.node}.`)
}
if (!script) fail('Usage: node scripts/bootstrap.mjs <script> [arguments]')
if (!isInstalled(root)) await install()
await run(
  node24(root) ??
    fail(
      `Gettone needs Node 24 and includes it only for Linux x64. Install Node 24 or later (this is Node ${process.versions.node}).`,
    ),
)

async function install() {
  const started = Date.now()
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`
  console.log(`Installing about ${packagesForThisMachine(root).length} packages: 290 MB to download, 800 MB unpacked,`)
  console.log('including Node 24 (190 MB), PostgreSQL 18 (60 MB) and the build tools of the portal.')
  const progress = setInterval(() => console.log(`  still installing (${elapsed()})`), 15_000)
  const { code, signal } = await npm([
    'ci',
    // Overrides the environment: NODE_ENV=production would leave out the tools that build the portal.
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  clearInterval(progress)
  if (code !== 0) fail(`npm could not install the packages (${signal ?? `exit code ${code}`}). See its output above.`)
  finishInstallation(root)
  const size = Number(spawnSync('du', ['-sm', join(root, 'node_modules')], { encoding: 'utf8' }).stdout?.split('\t')[0])
  console.log(`Installed in ${elapsed()}${size ? `: ${size} MB in node_modules` : ''}.\n`)
}

/**
 * @param {string[]} npmArguments
 * @returns {Promise<{ code: number | null, signal: string | null }>}
 */
function npm(npmArguments) {
  const itself = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined
  const child = itself
    ? spawn(process.execPath, [itself, ...npmArguments], { cwd: root, stdio: 'inherit' })
    : spawn('npm', npmArguments, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`npm, which comes with Node, could not be started: ${error.message}`))
    child.on('exit', (code, signal) => resolve({ code, signal }))
  })
}

/**
 * Ends with the script's exit code or signal.
 * @param {string} node
 */
async function run(node) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, script ?? ''), ...scriptArguments], {
    stdio: 'inherit',
    // npm and npx, when a script calls them, run on the same Node.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl-C already reaches every process at this terminal.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  // A signal to npm alone does not reach its children: the shell in between ends silently and leaves this process an orphan.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref()
  }
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 1)))
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
