/** Identifiers of parents that exist for the emulator. */
export const policyId = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
export const otherPolicyId = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGb';
export const tcpEdgeId = 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
export const otherTcpEdgeId = 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGb';
export const httpsEdgeId = 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
export const routeId = 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
export const otherRouteId = 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGb';
