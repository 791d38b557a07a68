// The host's side of `taut serve` in C#, for Unity or any other .NET program: one class, no packages.
// Unity: put this file into Assets, add TautCrane to an object, name the bodies' transforms as in the scene, press play.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Text;

public sealed class TautHost : IDisposable
{
    public const int Name = 64;
    public readonly double Dt;                                    // [s]
    public readonly string[] Controls, Bodies, Ropes, Coupled;
    public readonly double[] Control;                             // to be set; as the scene starts
    public readonly double[][] Body;                              // to be set: 19 numbers of each coupled body
    public ulong Step { get; private set; }
    public double Time { get; private set; }                      // [s]
    public double[][] Pose;                                       // position [m] and quaternion (w, x, y, z) of each body
    public double[][] Tension;                                    // at the start and the end of each rope [N]
    public double[][] Pull;                                       // impulse [N s, N m s] or force [N, N m]
    public double[][][] Points;                                   // of each rope [m]

    readonly TcpClient client;
    readonly BinaryReader reader;
    readonly Stream stream;

    public TautHost(string address = "127.0.0.1", int port = 7345)
    {
        client = new TcpClient(address, port) { NoDelay = true };
        stream = client.GetStream();
        reader = new BinaryReader(new BufferedStream(stream, 1 << 16));
        Expect(1);
        if (reader.ReadUInt32() != 1) throw new IOException("taut serve speaks another version");
        reader.ReadUInt32();                                      // mode
        var counts = new int[4];
        for (int k = 0; k < 4; k++) counts[k] = (int)reader.ReadUInt32();
        Dt = reader.ReadDouble();
        Controls = Names(counts[0]);
        Bodies = Names(counts[1]);
        Ropes = Names(counts[2]);
        Coupled = Names(counts[3]);
        Control = new double[counts[0]];
        for (int k = 0; k < counts[0]; k++) Control[k] = reader.ReadDouble();
        Body = new double[counts[3]][];
        for (int k = 0; k < counts[3]; k++) { Body[k] = new double[19]; Body[k][3] = 1.0; }
    }

    public double SetUp(double[][] massAndInertia)                // the largest stable step [s]
    {
        Send(2, writer => { foreach (var row in massAndInertia) foreach (var x in row) writer.Write(x); });
        Expect(3);
        return reader.ReadDouble();
    }

    public void Advance(uint steps = 1, uint flags = 0)
    {
        Send(4, writer =>
        {
            writer.Write(steps);
            writer.Write(flags);
            foreach (var x in Control) writer.Write(x);
            foreach (var row in Body) foreach (var x in row) writer.Write(x);
        });
        Expect(5);
        Step = reader.ReadUInt64();
        Time = reader.ReadDouble();
        Pose = Table(Bodies.Length, 7);
        Tension = Table(Ropes.Length, 2);
        Pull = Table(Coupled.Length, 6);
        var count = new int[Ropes.Length + Ropes.Length % 2];
        for (int k = 0; k < count.Length; k++) count[k] = (int)reader.ReadUInt32();
        Points = new double[Ropes.Length][][];
        for (int k = 0; k < Ropes.Length; k++) Points[k] = Table(count[k], 3);
    }

    public void Dispose()
    {
        try { Send(7, _ => { }); } catch (IOException) { }
        client.Dispose();
    }

    void Send(uint kind, Action<BinaryWriter> fill)
    {
        var body = new MemoryStream();
        fill(new BinaryWriter(body));
        var message = new MemoryStream();
        var writer = new BinaryWriter(message);
        writer.Write(Encoding.ASCII.GetBytes("TAUT"));
        writer.Write(kind);
        writer.Write((ulong)body.Length);
        body.WriteTo(message);
        message.WriteTo(stream);                                  // in one piece: one packet, no waiting
    }

    void Expect(uint kind)
    {
        if (Encoding.ASCII.GetString(reader.ReadBytes(4)) != "TAUT") throw new IOException("this is not taut serve");
        uint found = reader.ReadUInt32();
        int size = (int)reader.ReadUInt64();
        if (found == 6) throw new InvalidOperationException(Encoding.UTF8.GetString(reader.ReadBytes(size)));
        if (found != kind) throw new IOException($"a message of kind {found}, expected {kind}");
    }

    string[] Names(int count)
    {
        var names = new List<string>();
        for (int k = 0; k < count; k++) names.Add(Encoding.UTF8.GetString(reader.ReadBytes(Name)).TrimEnd('\0'));
        return names.ToArray();
    }

    double[][] Table(int rows, int columns)
    {
        var table = new double[rows][];
        for (int i = 0; i < rows; i++)
        {
            table[i] = new double[columns];
            for (int k = 0; k < columns; k++) table[i][k] = reader.ReadDouble();
        }
        return table;
    }
}

#if UNITY_5_3_OR_NEWER
// Taut's world is right-handed with z up, Unity's left-handed with y up: (x, y, z) becomes (x, z, y).
public class TautCrane : UnityEngine.MonoBehaviour
{
    TautHost host;
    readonly List<UnityEngine.Transform> seen = new List<UnityEngine.Transform>();

    void Start()
    {
        host = new TautHost();
        UnityEngine.Time.fixedDeltaTime = (float)host.Dt;
        foreach (var name in host.Bodies) seen.Add(transform.Find(name));
    }

    void FixedUpdate()
    {
        float lever = UnityEngine.Input.GetAxis("Vertical");
        for (int k = 0; k < host.Controls.Length; k++)
            if (host.Controls[k] == "left.speed" || host.Controls[k] == "right.speed") host.Control[k] = 0.8 * lever;
        host.Advance();
        for (int k = 0; k < seen.Count; k++)
        {
            if (seen[k] == null) continue;
            var p = host.Pose[k];
            seen[k].localPosition = new UnityEngine.Vector3((float)p[0], (float)p[2], (float)p[1]);
            seen[k].localRotation = new UnityEngine.Quaternion((float)-p[4], (float)-p[6], (float)-p[5], (float)p[3]);
        }
    }

    void OnDestroy() { host?.Dispose(); }
}
#else
public static class Program
{
    public static void Main(string[] arguments)
    {
        using (var host = new TautHost("127.0.0.1", arguments.Length > 0 ? int.Parse(arguments[0]) : 7345))
        {
            int left = Array.IndexOf(host.Controls, "left.speed"), right = Array.IndexOf(host.Controls, "right.speed");
            int load = Array.IndexOf(host.Bodies, "load");
            for (int k = 0; k < 480; k++)
            {
                host.Control[left] = host.Control[right] = k < 240 ? 0.8 : 0.0;
                host.Advance();
            }
            Console.WriteLine($"time {host.Time:F3} s, load at {host.Pose[load][2]:F4} m");
        }
    }
}
#endif
