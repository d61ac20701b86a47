// The health check of the container image, without quotes that a compose file could lose: exit code 0 while the process of this container answers.
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/live`)
process.exit(ok ? 0 : 1)
