/**
 * Next does not check the types: the compiler of this workspace does, with its
 * own options.
 */
export default { typescript: { ignoreBuildErrors: true } }
